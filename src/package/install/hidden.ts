/** Which paths of a package agents never get: the answers, copies of them, secrets, and what belongs to tools. */
import { posix } from 'node:path';
import type { AgentPackage } from '../../model/package.ts';

/** Only `copies` and `secrets` come as a surprise to the author, so only they are told. */
export type WhyHidden = 'tools' | 'answers' | 'copies' | 'secrets';

/** Of tools, and of no use to the package itself. */
const LEFT_OUT = new Set(['.git', '.aam', '.agent-packages', '__pycache__']);
const ARTIFACT_FOLDERS = ['skills', 'commands', 'agents', 'rules', 'hooks', 'mcp'];

const COPIED_FOLDER = /^\.?evals?$|^\.?evals/i;
const COPIED_FILE = /^evals?\.(?:jsonl?|ya?ml)$/i;
const SECRET = [
  /^\.env$|^\.env\.(?!.*(?:example|sample|template)$)/i,
  /^\.(?:npmrc|netrc|git-credentials|pypirc)$/i,
  /\.(?:pem|key)$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
];

export function hiddenIn(pkg: AgentPackage): (path: string) => WhyHidden | null {
  const answers = answerPlaces(pkg);
  const isCopy = copiesIn(pkg);
  return (path) => {
    const parts = path.split('/');
    const places = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    if (parts.some((part) => LEFT_OUT.has(part))) return 'tools';
    if (places.some((place) => answers.has(place))) return 'answers';
    if (places.some(isCopy)) return 'copies';
    return parts.some((part) => SECRET.some((name) => name.test(part))) ? 'secrets' : null;
  };
}

function answerPlaces(pkg: AgentPackage): ReadonlySet<string> {
  const artifacts = [
    ...pkg.skills.map(({ dir }) => dir),
    ...[...pkg.commands, ...pkg.agents, ...pkg.rules].map(({ file }) => folderOf(file)),
    ...(pkg.hooks ? [folderOf(pkg.hooks.file)] : []),
  ];
  const usual = ['', ...ARTIFACT_FOLDERS, ...artifacts].flatMap((dir) => [
    posix.join(dir, 'tests'),
    posix.join(dir, 'evals'),
  ]);
  return new Set([
    ...usual.filter((place) => !pkg.skills.some(({ dir }) => dir === place)),
    pkg.evals.dir,
    ...pkg.evals.cases.map(({ file }) => file),
    ...pkg.tests.map(({ dir }) => dir),
    'package.agent.lock',
  ]);
}

/** By their names, at the top of the package and of its skills; a skill itself may be called so. */
function copiesIn({ skills, files }: AgentPackage): (place: string) => boolean {
  const dirs = skills.map(({ dir }) => dir);
  return (place) => {
    const isDir = files.get(place)?.kind === 'dir';
    if (!(isDir ? COPIED_FOLDER : COPIED_FILE).test(posix.basename(place))) return false;
    if (dirs.some((dir) => dir === place || dir.startsWith(`${place}/`))) return false;
    return ['', ...dirs].includes(folderOf(place));
  };
}

function folderOf(file: string): string {
  const dir = posix.dirname(file);
  return dir === '.' ? '' : dir;
}
