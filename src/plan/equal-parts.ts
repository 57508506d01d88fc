/** Cases of a large suite mostly have the same parts: each of them is in memory once. */
import type { Case } from '../model/case.ts';

export function withEqualParts(cases: readonly Case[]): Case[] {
  const known = new Map<string, unknown>();
  const once = <Part>(part: Part): Part => {
    if (part === null || part === undefined) return part;
    const text = JSON.stringify(part);
    const same = known.get(text) as Part | undefined;
    if (same === undefined) known.set(text, part);
    return same ?? part;
  };
  return cases.map((it) => ({
    ...it,
    aliases: once(it.aliases),
    target: once(it.target),
    followUps: once(it.followUps),
    files: once(it.files),
    graders: once(it.graders.map(once)),
    criteria: once(it.criteria.map(once)),
    scoring: once(it.scoring),
    metadata: once(it.metadata),
    file: once(it.file),
    ...(it.tags && { tags: once(it.tags) }),
    ...(it.sources && { sources: once(it.sources) }),
  }));
}
