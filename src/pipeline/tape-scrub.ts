/** `aam tape scrub`: is there anything in the tapes that looks like a secret? */
import { readFile } from 'node:fs/promises';
import { resolveUpstreams } from '../gateway/credentials.ts';
import { secretsIn } from '../gateway/redact.ts';
import { findSecrets } from '../gateway/tape/scrub.ts';
import { spokenText } from '../gateway/tape/spoken.ts';
import type { TapeScrubReport } from '../model/tape-report.ts';
import type { TapeCheckRequest } from './tape-check.ts';
import { findTapes } from './tape-files.ts';

/** The keys of this machine are looked for too, whatever they look like. */
export async function scrubTapes({ host, folder }: TapeCheckRequest): Promise<TapeScrubReport> {
  const found = await findTapes(host, folder);
  const keys = secretsIn(Object.values(await resolveUpstreams(host)));
  const findings: TapeScrubReport['findings'] = [];
  for (const path of found.paths) {
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines.forEach((line, index) => {
      const kinds = new Set(textsOf(line).flatMap((text) => findSecrets(text, keys).map(({ kind }) => kind)));
      for (const kind of kinds) findings.push({ file: found.shown(path), line: index + 1, kind });
    });
  }
  return {
    version: 1,
    ok: findings.length === 0,
    folder: found.folder,
    files: found.paths.length,
    findings,
  };
}

/** A line as it stands, and the answer in it as the model said it. A damaged line is looked at as it is. */
function textsOf(line: string): string[] {
  try {
    const { body } = JSON.parse(line) as {
      readonly body?: { readonly text?: string; readonly base64?: string };
    };
    const answer = body?.base64 === undefined ? body?.text : Buffer.from(body.base64, 'base64').toString();
    return answer === undefined ? [line] : [line, spokenText(answer)];
  } catch {
    return [line];
  }
}
