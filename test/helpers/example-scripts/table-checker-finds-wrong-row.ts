import type { CaseScript } from './script.ts';

export const tableCheckerFindsWrongRow: CaseScript = {
  package: 'pdf-tools',
  case: 'table-checker-finds-wrong-row',
  judge: {
    evidence: [
      'the amount of the row Wax seal is 18.00 and should be 19.00',
      'The total of 59.80 fits the corrected row.',
    ],
    reason:
      'The sub-agent table-checker did the check; the answer names the row of the wax seal alone and does not call the total wrong.',
  },
  turns: ({ delegate, shell }) => [
    ...delegate('table-checker', 'Check the table in fixtures/order.txt.'),
    // Codex tells the end of a sub-agent once more, a moment later: before the last answer, or else it asks again.
    { tools: [shell("grep 'Wax seal' fixtures/order.txt; sleep 1")] },
    {
      text: 'The table-checker found one wrong cell: the amount of the row Wax seal is 18.00 and should be 19.00. The total of 59.80 fits the corrected row.',
    },
  ],
  subAgent: {
    knownBy: 'You check tables of amounts.',
    turns: ({ shell }) => [
      { tools: [shell("cat fixtures/order.txt; node -p '[4 * 7.2, 200 * 0.06, 2 * 9.5]'")] },
      { text: 'Wax seal: the amount is 18.00 and should be 19.00. Everything else is right.' },
    ],
  },
};
