/** The HTML report: one file that needs nothing else. The page is built beforehand; this puts the data into it. */
import { REPORT_MARK } from '../model/report.ts';
import type { ViewerData } from '../model/viewer.ts';

/** What the built page has where the data goes. */
const PLACE = `<script id="${REPORT_MARK}" type="application/json">null</script>`;

export function renderHtml(data: ViewerData, template: string): string {
  const [before, after, ...more] = template.split(PLACE);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error('the page of the HTML report has no place, or more than one, for its data');
  return `${before}${PLACE.replace('null', () => scriptJson(data))}${after}`;
}

/** JSON that says the same and cannot end the script element it stands in, whatever its strings hold. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => ESCAPES[char] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};
