import type { CaseScript } from './script.ts';

export const scanIsNotInvented: CaseScript = {
  package: 'pdf-tools',
  case: 'scan-is-not-invented',
  judge: {
    evidence: ['has no text layer: its one page is a picture, and reading it needs OCR', 'I cannot tell.'],
    reason:
      'The answer says that there is no text layer and that OCR is needed, claims nothing about the document, and no file was written.',
  },
  turns: ({ shell, skill, skillFolder }) => [
    { tools: [skill('pdf-tools')] },
    { tools: [shell(`node ${skillFolder('pdf-tools')}/scripts/extract-text.mjs fixtures/scan.pdf`)] },
    {
      text: 'I cannot tell. fixtures/scan.pdf has no text layer: its one page is a picture, and reading it needs OCR.',
    },
  ],
};
