import type { CaseScript } from './script.ts';

export const pdfExtractionE2e: CaseScript = {
  package: 'pdf-tools',
  case: 'pdf-extraction-e2e',
  judge: {
    evidence: ['Hello, World Stationery', 'Total due 113.40', 'Thank you for writing by hand.'],
    reason:
      'The answer holds the bill with its items and totals and the terms of payment, as the script printed them.',
  },
  turns: ({ shell, skill, skillFolder }) => [
    { text: 'I will use the skill for PDFs.', tools: [skill('pdf-tools')] },
    {
      tools: [
        shell(
          `node ${skillFolder('pdf-tools')}/scripts/extract-text.mjs fixtures/sample.pdf --output output/extracted.txt && cat output/extracted.txt`,
        ),
      ],
    },
    { text: `The text is in output/extracted.txt:\n\n${TEXT}` },
  ],
};

const TEXT = `Hello, World Stationery
Invoice 2024-0117
Bill to: Northwind Reading Room, 12 Harbour Lane
Date: 5 March 2024
Item Quantity Unit price Amount
Index cards, A6 40 0.15 6.00
Fountain pen 3 24.50 73.50
Blotting paper 12 1.25 15.00
Net total 94.50
VAT 20 % 18.90
Total due 113.40
Page 1 of 2

Terms of payment
Payable within 30 days to account 0042-7781, reference 2024-0117.
Pens may be returned unused until 4 April 2024.
Thank you for writing by hand.
Page 2 of 2`;
