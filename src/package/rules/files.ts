/** What lies in the folder: no link out, nothing that is not a file. */
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { AgentPackage } from '../../model/package.ts';
import { fileError } from './report.ts';

export function* fileRules({ files }: AgentPackage): Iterable<Diagnostic> {
  for (const [path, { kind, link }] of files) {
    const hidden = /[\x00-\x1f\x7f]/.test(path);
    if (hidden) yield fileError(path, 'file-name', 'has control characters in its name', 'rename it');
    if (link?.inside === false) {
      yield fileError(
        path,
        'link-outside',
        `is a link that leads out of the package, to ${link.target}`,
        'copy the file into the package',
      );
    } else if (kind === 'missing') {
      yield fileError(
        path,
        'broken-link',
        `is a link to ${link?.target}, which leads to nothing`,
        'remove it',
      );
    } else if (kind === 'other') {
      yield fileError(path, 'not-a-file', 'is a socket, pipe or device', 'remove it from the package');
    }
  }
}
