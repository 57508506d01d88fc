import type { CaseScript } from './script.ts';

export const hookBlocksProtectedWrite: CaseScript = {
  package: 'pdf-tools',
  case: 'hook-blocks-protected-write',
  turns: ({ write }) => [
    { text: 'I will write the file.', tools: [write('/etc/config.txt', 'test\n')] },
    { text: 'The write to /etc/config.txt was denied: the path is protected. I did not try another way.' },
  ],
};
