/** Takes out of a package what would tell an agent how it is graded. */
import { dirname, relative, sep } from 'node:path';
import type { AgentPackage } from '../../../model/package.ts';

/** `answers`: absolute paths of files and folders beside the fixture itself. */
export function withoutAnswers(pkg: AgentPackage, fixture: string, answers: readonly string[]): AgentPackage {
  const hidden = [fixture, folderAround(fixture, pkg), ...answers].flatMap((path) =>
    path === null ? [] : (inside(path, pkg.root) ?? []),
  );
  const isAnswer = (file: string) =>
    hidden.some((path) => file === path || file.startsWith(`${path}/`)) || USUAL.test(file);
  return { ...pkg, files: new Map([...pkg.files].filter(([file]) => !isAnswer(file))) };
}

const USUAL = /(?:^|\/)(?:bundle\.manifest\.json|fixture\.(?:ya?ml|toml))$/;

/** `fixtures/`, with those of others, or the fixture's own folder; null: what is under test is in it too. */
function folderAround(fixture: string, { root, skills }: AgentPackage): string | null {
  const own = inside(dirname(fixture), root);
  if (own === null) return null;
  const parts = own.split('/');
  const at = parts.findIndex((part) => /^(?:fixtures?|evals?)$/.test(part));
  const folder = at < 0 ? own : parts.slice(0, at + 1).join('/');
  const isShared = skills.some(({ dir }) => dir === folder || dir.startsWith(`${folder}/`));
  return isShared ? null : `${root}/${folder}`;
}

/** null: outside, or the folder itself. */
function inside(path: string, root: string): string | null {
  const way = relative(root, path).split(sep).join('/');
  return way === '' || way === '..' || way.startsWith('../') ? null : way;
}
