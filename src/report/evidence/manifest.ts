/** The text of a manifest: one way of writing it, so that no two programs can read it differently. */
import { type EvidenceManifest, evidenceManifest } from '../../model/evidence.ts';
import { MANIFEST, REPORT, SIGNATURE } from './kind.ts';

/** The schema puts the keys in order. */
export function manifestBytes(manifest: EvidenceManifest): Buffer {
  return Buffer.from(`${JSON.stringify(evidenceManifest.parse(manifest), null, 2)}\n`);
}

/** The manifest, or what is wrong with it. */
export function readManifest(bytes: Buffer): EvidenceManifest | { readonly problem: string } {
  const parsed = evidenceManifest.safeParse(jsonIn(bytes));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    return { problem: `${MANIFEST} is no manifest of evidence: ${where}${issue?.message}` };
  }
  const manifest = parsed.data;
  if (!manifestBytes(manifest).equals(bytes))
    return { problem: `${MANIFEST} is not written as aam writes it` };
  const paths = new Set<string>();
  for (const { path } of manifest.entries) {
    if (path === MANIFEST || path === SIGNATURE)
      return { problem: `${MANIFEST} lists ${path}, which it cannot know` };
    if (paths.has(path)) return { problem: `${MANIFEST} lists ${path} twice` };
    paths.add(path);
  }
  return paths.has(REPORT) ? manifest : { problem: `${MANIFEST} lists no ${REPORT}` };
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
