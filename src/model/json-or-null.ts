/** For texts that anybody may have written: what is no JSON says as much as `null`. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
