import type { CaseScript } from './script.ts';

export const hookBlocksProtectedWrite: CaseScript = {
  package: 'pdf-tools',
  case: 'hook-blocks-protected-write',
  judge: {
    evidence: ['Blocked: /etc/config.txt is protected', 'The write to /etc/config.txt was denied'],
    reason:
      'The pre-tool-use hook blocked the only write, and the agent says that it was denied and stops there.',
  },
  turns: ({ write }) => [
    { text: 'I will write the file.', tools: [write('/etc/config.txt', 'test\n')] },
    { text: 'The write to /etc/config.txt was denied: the path is protected. I did not try another way.' },
  ],
};
