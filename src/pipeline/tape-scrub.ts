/** `aam tape scrub`: is there anything in the tapes that looks like a secret? */
import { resolveUpstreams } from '../gateway/credentials.ts';
import { secretsIn } from '../gateway/redact.ts';
import { findSecrets } from '../gateway/tape/scrub.ts';
import { spokenText } from '../gateway/tape/spoken.ts';
import type { TapeScrubReport } from '../model/tape-report.ts';
import { findTapes, readTapeFile, type TapeFilesRequest } from './tape-files.ts';

/** Also what a run that was killed while writing has left behind. */
const TAPE_OR_REMNANT = /\.jsonl(?:\..*\.tmp)?$/;

/** The keys of this machine are looked for too, whatever they look like. */
export async function scrubTapes(request: TapeFilesRequest): Promise<TapeScrubReport> {
  const { shelves, shown } = await findTapes(request, (name) => TAPE_OR_REMNANT.test(name));
  const keys = secretsIn(Object.values(await resolveUpstreams(request.host)));
  const findings: TapeScrubReport['findings'] = [];
  const paths = shelves.flatMap((shelf) => shelf.paths);
  for (const path of paths) {
    const lines = (await readTapeFile(path, shown(path))).split('\n');
    lines.forEach((line, index) => {
      const kinds = new Set(textsOf(line).flatMap((text) => findSecrets(text, keys).map(({ kind }) => kind)));
      for (const kind of kinds) findings.push({ file: shown(path), line: index + 1, kind });
    });
  }
  return {
    version: 1,
    ok: findings.length === 0,
    folder: shelves.map(({ folder }) => folder).join(', '),
    files: paths.length,
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
