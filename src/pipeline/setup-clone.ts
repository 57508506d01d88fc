/** How a repository gets into a workspace: with its history up to the commit that is wanted, and nothing after it. */

/** Branch, tag or commit, so many commits back. */
export function revisionOf(ref: string | null, ancestor: number): string {
  const name = ref ?? 'HEAD';
  return ancestor > 0 ? `${name}~${ancestor}` : name;
}

/**
 * Arguments: source, target, revision. Files that are in the target already stay as they are. The config has to be a
 * file, because the process that reads the source does not get options.
 */
export const CLONE = `
set -u
HOME=$(mktemp -d) || exit 1
export HOME GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0 GIT_ALLOW_PROTOCOL=file
trap 'rm -rf "$HOME"' EXIT
git config --global safe.directory '*' || exit 1
git -C "$1" rev-parse --git-dir > /dev/null || exit 1
commit=$(git -C "$1" rev-parse --verify --quiet --end-of-options "$3^{commit}") || {
  echo "there is no $3 in it" >&2
  exit 1
}
mkdir -p "$2" && git init --quiet --template= "$2" && cd "$2" || exit 1
git fetch --quiet --no-tags "$1" "$commit" || exit 1
rm -f .git/FETCH_HEAD
git update-ref --no-deref HEAD "$commit" && git read-tree "$commit" || exit 1
git checkout-index --all --quiet 2> /dev/null
[ -z "$(git ls-files --deleted)" ] || {
  echo 'not all of its files could be written' >&2
  exit 1
}
`;
