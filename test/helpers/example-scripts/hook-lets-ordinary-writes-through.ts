import type { CaseScript } from './script.ts';

export const hookLetsOrdinaryWritesThrough: CaseScript = {
  package: 'pdf-tools',
  case: 'hook-lets-ordinary-writes-through',
  turns: ({ write }) => [
    { tools: [write('src/notes.txt', 'Invoice 2024-0117 is due.\n')] },
    { text: 'src/notes.txt holds the line now.' },
  ],
};
