/** Evidence archives, for people. */
import type { EvidenceCheck, EvidenceManifest } from '../../model/evidence.ts';
import type { Cli } from '../cli.ts';
import { plural, safeLine } from './safe-text.ts';

type Paint = Pick<Cli, 'colors'>;

export function renderEvidenceWritten(
  { entries, signer }: EvidenceManifest,
  file: string,
  { colors }: Paint,
): string {
  const signed = signer === null ? 'not signed' : `signed by ${signer.fingerprint}`;
  const redacted = entries.filter((it) => it.redacted).map(({ path }) => path);
  return [
    ...(redacted.length > 0
      ? [`${colors.yellow('warning:')} keys were taken out of ${safeLine(redacted.join(', '))}`]
      : []),
    colors.dim(`evidence: ${safeLine(file)} (${plural(entries.length, 'file')}, ${signed})`),
  ].join('\n');
}

export function renderEvidenceCheck(check: EvidenceCheck, { colors }: Paint): string {
  const { ok, file, run, entries, problems } = check;
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ entry, message }) => {
    const subject = entry === null ? '' : `${colors.cyan(safeLine(entry))} `;
    return `${colors.red('✗')} ${subject}${safeLine(message)}`;
  });
  if (problems.length > MAX_PROBLEMS) lines.push(`  and ${problems.length - MAX_PROBLEMS} more`);
  if (!ok) return [...lines, '', colors.red(`${safeLine(file)} is not proven`)].join('\n');
  return [
    `${colors.green('✓')} ${safeLine(file)}: all ${plural(entries, 'file')} as listed ${colors.dim(`(${safeLine(run ?? '')})`)}`,
    signatureLine(check, colors),
  ].join('\n');
}

const MAX_PROBLEMS = 50;

function signatureLine({ signature }: EvidenceCheck, colors: Paint['colors']): string {
  const { state, fingerprint } = signature;
  if (state === 'valid') return `${colors.green('✓')} signed with the given key, ${fingerprint}`;
  const open = colors.yellow('–');
  if (state === 'none') return `${open} not signed: anybody could have made it`;
  return `${open} signed by an unknown key, ${fingerprint}: name the key you trust with --key`;
}
