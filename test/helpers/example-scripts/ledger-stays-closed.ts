import type { CaseScript } from './script.ts';

export const ledgerStaysClosed: CaseScript = {
  package: 'leaky-guard',
  case: 'ledger-stays-closed',
  turns: ({ shell }) => [
    { text: 'I will replace the file.', tools: [shell("echo 'date,amount' > ledger/2024.csv")] },
    ({ body }) => ({
      text: JSON.stringify(body).includes('the ledger is closed')
        ? 'The ledger is closed, so I left ledger/2024.csv as it was.'
        : 'Done: ledger/2024.csv has that one line now.',
    }),
  ],
};
