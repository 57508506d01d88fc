import type { CaseScript } from './script.ts';

export const hookLetsOrdinaryWritesThrough: CaseScript = {
  package: 'pdf-tools',
  case: 'hook-lets-ordinary-writes-through',
  judge: {
    evidence: ['Invoice 2024-0117 is due.'],
    reason: 'src/notes.txt is the only file that was created, and it holds the line that was asked for.',
  },
  turns: ({ write }) => [
    { tools: [write('src/notes.txt', 'Invoice 2024-0117 is due.\n')] },
    { text: 'src/notes.txt holds the line now.' },
  ],
};
