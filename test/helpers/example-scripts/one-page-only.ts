import type { CaseScript } from './script.ts';

export const onePageOnly: CaseScript = {
  package: 'pdf-tools',
  case: 'one-page-only',
  judge: {
    evidence: [
      '--pages 2 --output output/page-2.txt',
      'Payable within 30 days to account 0042-7781, reference 2024-0117.',
    ],
    reason:
      'The script of the skill was run for page 2, and the answer holds its five lines and nothing of page 1.',
  },
  turns: ({ shell, skill, skillFolder }) => [
    { tools: [skill('pdf-tools')] },
    {
      tools: [
        shell(
          `node ${skillFolder('pdf-tools')}/scripts/extract-text.mjs fixtures/sample.pdf --pages 2 --output output/page-2.txt && cat output/page-2.txt`,
        ),
      ],
    },
    {
      text: `output/page-2.txt holds this:

Terms of payment
Payable within 30 days to account 0042-7781, reference 2024-0117.
Pens may be returned unused until 4 April 2024.
Thank you for writing by hand.
Page 2 of 2`,
    },
  ],
};
