/** `aam evidence`. */
import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import { workingFolder } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';
import { renderEvidenceCheck } from '../render/evidence.ts';

interface Options {
  readonly key?: string;
  readonly json?: boolean;
  readonly cwd?: string;
}

export function evidenceCommand(cli: Cli): Command {
  return new Command('evidence')
    .description('Prove that an evidence archive is as it was written.')
    .addCommand(verifyCommand(cli))
    .addHelpText(
      'after',
      `
Examples:
  aam eval --evidence run.tar.gz --sign key.pem       write one
  aam evidence verify run.tar.gz --key public.pem     prove that nobody changed it, and who signed it`,
    );
}

function verifyCommand(cli: Cli): Command {
  return new Command('verify')
    .description('Prove that nothing in the archive was changed, added or removed, and who signed it.')
    .argument('<file>', 'what aam eval --evidence wrote')
    .option('--key <file>', 'public key (PEM) that it must be signed with')
    .option('--json', 'print the findings for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Without --key only this is proven: the archive is as its manifest says. Whoever can change an archive can also
write a new manifest and sign it with a key of their own: who made it, only --key can tell. Nothing is unpacked.

Examples:
  aam evidence verify run.tar.gz
  aam evidence verify run.tar.gz --key public.pem
  openssl genpkey -algorithm ed25519 -out key.pem              make a key for aam eval --sign
  openssl pkey -in key.pem -pubout -out public.pem             its public part, to give away

Exit codes: 0 proven · 1 not proven: changed, damaged or signed by another · 2 could not be read`,
    )
    .action(async (file: string, options: Options) => {
      const cwd = workingFolder(cli, options);
      const { checkEvidence } = await import('../../pipeline/evidence.ts');
      const key = options.key === undefined ? null : resolve(cwd, options.key);
      const check = await checkEvidence(resolve(cwd, file), key);
      const shown = { ...check, file: relative(cwd, check.file) || file };
      cli.out(options.json ? JSON.stringify(check, null, 2) : renderEvidenceCheck(shown, cli));
      cli.exitWith(check.ok ? EXIT.ok : EXIT.failed);
    });
}
