/** Whether a text fits a pattern with `*` (anything, also slashes), `?` (one character) and `[abc]`. */
export function fitsGlob(pattern: string, text: string): boolean {
  const source = pattern.replaceAll(/\*+|\?|\[[^\]]+\]|[\s\S]/g, (part) => {
    if (part.startsWith('*')) return '[\\s\\S]*';
    if (part === '?') return '[\\s\\S]';
    if (part.length > 1 && part.startsWith('['))
      return `[${part
        .slice(1, -1)
        .replaceAll(/[\\[\]]/g, '\\$&')
        .replace(/^!/, '^')}]`;
    return part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  try {
    return new RegExp(`^${source}$`).test(text);
  } catch {
    return pattern === text;
  }
}
