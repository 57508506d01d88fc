import type { CaseScript } from './script.ts';

export const scanIsNotInvented: CaseScript = {
  package: 'pdf-tools',
  case: 'scan-is-not-invented',
  turns: ({ shell, skill, skillFolder }) => [
    { tools: [skill('pdf-tools')] },
    { tools: [shell(`node ${skillFolder('pdf-tools')}/scripts/extract-text.mjs fixtures/scan.pdf`)] },
    {
      text: 'I cannot tell. fixtures/scan.pdf has no text layer: its one page is a picture, and reading it needs OCR.',
    },
  ],
};
