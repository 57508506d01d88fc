/** The whole text is JSON. */
import type { CheckResult } from '../check.ts';

export function isJson(text: string, where: string): CheckResult {
  try {
    JSON.parse(text);
    return { verdict: 'PASS', message: `${where} is JSON`, actual: null };
  } catch (error) {
    const why =
      text.trim() === ''
        ? 'it is empty'
        : /^\s*```/.test(text)
          ? 'it stands between ``` fences'
          : (error as Error).message;
    return { verdict: 'FAIL', message: `${where} is not JSON: ${why}`, actual: text.slice(0, 500) };
  }
}
