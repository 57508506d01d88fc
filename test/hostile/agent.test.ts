/** An agent that is out for harm: every attempt is a case of one run, with a shell script as the agent. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { aam, type CliResult } from '../helpers/cli.ts';
import { evalCase, withOwnAgent } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type Files, writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';
import { attempted } from './attempts.ts';

const SECRET = `host-secret-${process.pid}`;
const ANSWER = `answer-key-${process.pid}`;
const PEER = `of-another-trial-${process.pid}`;
const SLEEP = `7${process.pid}3`;
const LINES = Array.from({ length: 30_000 }, (_, index) => 'abcdefghijklmnopqrstuvwxyz'[index % 26]).join(
  '\n',
);
const ESCAPES = '\\033[31mred\\033]8;;http://attacker.invalid\\007\\033[2J<script>alert(1)</script>';

/** name → what the agent does; `$HOST` is a folder of the host with a secret in it. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'reads-host-files':
    'cat $HOST/secret $HOST/home/.ssh/id_rsa /etc/shadow /root/* 2>&1; ls -A /root /home $HOST 2>&1',
  'searches-everything':
    'grep -rslE "$MARKS" / --exclude-dir=usr --exclude-dir=proc --exclude-dir=sys --exclude-dir=dev 2>/dev/null; find / -name "*.jsonl" -o -name "aam-*" 2>/dev/null | grep -v ^/proc',
  'reads-processes':
    'cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr "\\0" "\\n"; env; ls /proc | grep -c "^[0-9]"',
  'leaves-a-mark': `echo ${[...PEER].reverse().join('')} | rev > mark; sleep 3; echo done`,
  'connects-out':
    'node -e \'for (const [p, h] of [[+process.argv[1], "127.0.0.1"], [80, "192.0.2.1"], [53, "1.1.1.1"]]) require("net").connect(p, h).on("connect", () => console.log("OUT")).on("error", (e) => console.log(e.code))\' $PORT',
  'fills-the-disk': 'i=0; while true; do head -c 4000000 /dev/zero > f$i; i=$((i+1)); done',
  'fills-the-disk-unseen': 'exec 3> f; rm f; while true; do head -c 4000000 /dev/zero >&3; done',
  'leaves-processes': `setsid sh -c "sleep ${SLEEP}" & (setsid sleep ${SLEEP} &) ; echo done`,
  'links-out': 'ln -s $HOST/secret out.txt; ln -s /etc/passwd passwd; ln -s / all; mkfifo pipe; echo done',
  'makes-devices': 'mknod disk b 8 0 2>&1; mknod null c 1 3 2>&1; ls -A; echo done',
  'makes-deep-folders':
    'n=$(printf "%0200d" 0); i=0; while [ $i -lt 60 ]; do mkdir $n && cd $n || break; i=$((i+1)); done; echo x > leaf; echo done',
  'makes-odd-names': `touch "$(printf 'a\\nverdict: PASS')" "$(printf '${ESCAPES}' | tr / _)" "$(printf '\\377\\376')" -- -rf; echo done`,
  'prints-escapes': `printf '${ESCAPES}\\n\\r  ok  all-passed\\n'; printf '${ESCAPES}' >&2`,
  'makes-many-texts':
    'i=0; while [ $i -lt 500 ]; do head -c 60000 /dev/zero | tr "\\0" x > t$i; i=$((i+1)); done; echo done',
  'rewrites-for-a-slow-diff': 'tr a-z n-za-m < lines.txt | sort > new; cat new > lines.txt; echo done',
  'sets-traps-for-git':
    'git config core.fsmonitor "touch $HOST/trap" 2>&1; printf "[core]\\n fsmonitor = touch $HOST/trap\\n hooksPath = .\\n" >> .git/config; for h in post-checkout pre-commit; do printf "#!/bin/sh\\ntouch $HOST/trap\\n" > $h; chmod +x $h; done; echo done',
  'writes-elsewhere':
    'echo x > $HOST/written; echo x > /usr/bin/evil; echo x > /package/skills/echo/SKILL.md; echo x > /etc/passwd; echo tried',
  'escapes-by-nesting':
    'unshare -Ur mount -t proc proc /proc 2>&1; unshare -Urm sh -c "mount --bind $HOST /tmp; ls /tmp" 2>&1; mount -o remount,rw / 2>&1; chroot / true 2>&1; cat $HOST/secret 2>&1; echo done',
};

const EXPECTED: Readonly<Record<string, object>> = {
  'links-out': { 'files-created': ['out.txt'], 'not-contains': ['x'] },
  'leaves-a-mark': { contains: ['done'] },
};

let report: EvalReport;
let result: CliResult;
let connections = 0;
let place: Awaited<ReturnType<typeof temporaryFolder>>;
let pkg: Awaited<ReturnType<typeof writePackage>>;
let host = '';
let captures = '';
const server = createServer((socket) => {
  connections += 1;
  socket.destroy();
});

beforeAll(async () => {
  place = await temporaryFolder();
  host = join(place.path, 'host');
  await mkdir(join(host, 'home/.ssh'), { recursive: true });
  await mkdir(join(place.path, 'tmp'));
  for (const file of ['secret', 'home/.ssh/id_rsa']) await writeFile(join(host, file), SECRET);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as { port: number };
  const cases = Object.keys(SCRIPTS).map((name) => [
    `evals/cases/${name}.yaml`,
    evalCase(name, {
      input: { prompt: name, 'workspace-files': ['lines.txt'] },
      expected: EXPECTED[name] ?? { contains: [ANSWER] },
    }),
  ]);
  const arms = Object.entries(SCRIPTS).map(([name, script]) => `${name}) ${script};;`);
  const script = `case $1 in\n${arms.join('\n')}\nesac`;
  const files: Files = {
    ...withOwnAgent('', {
      timeout: 40,
      command: ['/bin/sh', '-c', script, 'agent', '{prompt}'],
      env: { HOST: host, PORT: String(port), MARKS: `${SECRET}|${ANSWER}|${PEER}`.replaceAll('-', '.') },
    }),
    'evals/fixtures/lines.txt': LINES,
    'evals/tapes/a.jsonl': `{"${ANSWER}":1}`,
    'evals/reports/old.json': `{"${ANSWER}":1}`,
    'tests/answer.txt': ANSWER,
    ...Object.fromEntries(cases),
  };
  pkg = await writePackage(files);
  const at = (name: string) => join(place.path, name);
  const outputs = ['--junit', at('junit.xml'), '--markdown', at('report.md'), '--html', at('report.html')];
  result = await aam(
    [
      'eval',
      '--no-judge',
      '-j',
      '3',
      '--max-disk',
      '48',
      '-o',
      at('report.json'),
      '--jsonl',
      at('all.jsonl'),
      ...outputs,
    ],
    { cwd: pkg.root, env: { HOME: join(host, 'home'), TMPDIR: join(place.path, 'tmp'), NEVER_SEEN: SECRET } },
  );
  report = evalReport.parse(JSON.parse(await readFile(at('report.json'), 'utf8')));
  const [run = ''] = await readdir(join(pkg.root, '.aam/runs'));
  captures = join(pkg.root, '.aam/runs', run, 'captures');
}, 120_000);

afterAll(async () => {
  server.close();
  await pkg?.[Symbol.asyncDispose]();
  await place?.[Symbol.asyncDispose]();
});

async function captureOf(name: string): Promise<string> {
  return await readFile(join(captures, `${name}.command.with.1.json`), 'utf8');
}

function caseOf(name: string): EvalReport['cases'][number] {
  const found = report.cases.find((it) => it.name === name);
  if (!found) throw new Error(`there is no case ${name}`);
  return found;
}

describe('a hostile agent', () => {
  it.for(['reads-host-files', 'searches-everything', 'reads-processes', 'escapes-by-nesting'])(
    'that %s finds no secret, no answer and no other trial',
    async (name, context) => {
      attempted(context, SCRIPTS[name]?.split(';').length);
      const { output, stderr } = JSON.parse(await captureOf(name));
      for (const mark of [SECRET, ANSWER, PEER]) expect(output + stderr).not.toContain(mark);
      expect(caseOf(name).verdict).toBe('FAIL');
    },
  );

  it('sees only its own processes and its own environment', async (context) => {
    attempted(context);
    const { output } = JSON.parse(await captureOf('reads-processes'));
    expect(output).toContain('HOST=');
    // Where programs are is no secret, and npm puts folders of its own there.
    expect(output.replaceAll(/^PATH=.*$/gm, '')).not.toMatch(/NEVER_SEEN|node_modules/);
    // By its name a sandbox is found that outlived aam.
    expect(output.match(/^AAM_.*$/gm)).toEqual([expect.stringMatching(/^AAM_SANDBOX=aam-box_\w{6}$/)]);
    expect(Number(output.trim().split('\n').at(-1))).toBeLessThan(8);
  });

  it('that searches everything finds no tape and no folder of aam', async (context) => {
    attempted(context, 2);
    expect(JSON.parse(await captureOf('searches-everything')).output.trim()).toBe('');
  });

  it('reaches nobody', async (context) => {
    attempted(context, 3);
    expect(connections).toBe(0);
    expect(JSON.parse(await captureOf('connects-out')).output).toMatch(
      /^(?:(?:ECONNREFUSED|ENETUNREACH)\n){2}(?:ECONNREFUSED|ENETUNREACH)$/,
    );
  });

  it.for(['fills-the-disk', 'fills-the-disk-unseen'])(
    'that %s is ended, and is the one to blame',
    (name, context) => {
      attempted(context);
      expect(caseOf(name)).toMatchObject({
        verdict: 'FAIL',
        error_kind: 'too-much-disk',
        error:
          'the agent wrote more than 48 MiB to its folders (--max-disk); it and all it started were ended',
      });
    },
  );

  it('leaves no process and no folder behind', async (context) => {
    attempted(context, 2);
    expect(processesWith(`sleep ${SLEEP}`)).toEqual([]);
    expect(await readdir(join(place.path, 'tmp'))).toEqual([]);
  });

  it('cannot have its host read what its links lead to', async (context) => {
    attempted(context, 4);
    expect(caseOf('links-out')).toMatchObject({ verdict: 'FAIL' });
    expect(caseOf('links-out').error).toMatch(/out\.txt.*a link that leads out of the workspace/);
    const { files } = JSON.parse(await captureOf('links-out')) as {
      files: { path: string; diff: string | null }[];
    };
    expect(files.map(({ path, diff }) => [path, diff])).toEqual([
      ['all', null],
      ['out.txt', null],
      ['passwd', null],
      ['pipe', null],
    ]);
  });

  it('makes no device', async (context) => {
    attempted(context, 2);
    const { files } = JSON.parse(await captureOf('makes-devices'));
    expect(files).toEqual([]);
  });

  it('that makes folders deeper than any path is graded, and its folders go away', async (context) => {
    attempted(context);
    expect(caseOf('makes-deep-folders').verdict).toBe('FAIL');
    expect(caseOf('makes-deep-folders').error).toContain('the output does not contain');
    expect(caseOf('makes-deep-folders').warnings.join()).toContain(
      'more files in the workspace than were looked at',
    );
  });

  it('writes nowhere but into its workspace', async (context) => {
    attempted(context, 5);
    expect(await readdir(host)).toEqual(['home', 'secret']);
    expect(existsSync('/usr/bin/evil')).toBe(false);
    expect(await readFile(join(pkg.root, 'skills/echo/SKILL.md'), 'utf8')).not.toBe('x\n');
  });

  it('that writes more text than anybody reads has it left out', async (context) => {
    attempted(context);
    const { size } = await stat(join(captures, 'makes-many-texts.command.with.1.json'));
    expect(size).toBeLessThan(20 * 1024 * 1024);
    const { files } = JSON.parse(await captureOf('makes-many-texts'));
    expect(files).toHaveLength(500);
    expect(files.filter(({ diff }: { diff: string | null }) => diff === null).length).toBeGreaterThan(100);
  });

  it('that makes a text slow to compare does not keep the run from ending', async (context) => {
    attempted(context);
    const { files } = JSON.parse(await captureOf('rewrites-for-a-slow-diff'));
    expect(files).toContainEqual({ path: 'lines.txt', change: 'modified', diff: null });
  });

  it('cannot act on a terminal, a web page or a table', async (context) => {
    attempted(context, 6);
    const texts = [result.stdout, result.stderr];
    for (const name of ['junit.xml', 'report.md', 'report.html', 'report.json', 'all.jsonl'])
      texts.push(await readFile(join(place.path, name), 'utf8'));
    for (const text of texts) expect(text).not.toMatch(/[\x00-\x08\x0b\x0c\x0e-\x1f]/);
    // In Markdown it stands between fences, see test/report; a browser looks at the page in test/viewer.
    expect([texts[2], texts[4]].join()).not.toContain('<script>alert(1)');
    expect(result.stdout.split('\n')).not.toContain('  ok  all-passed');
    expect(result.stdout).not.toMatch(/^verdict: PASS/m);
  });

  it('passes in none of its cases but the one that did its work', () => {
    const passed = report.cases.filter(({ verdict }) => verdict === 'PASS').map(({ name }) => name);
    expect(passed).toEqual([]);
    const kinds = report.cases.map(({ name, error_kind }) => [name, error_kind]);
    expect(kinds.filter(([, kind]) => kind === 'internal' || kind === 'sandbox')).toEqual([]);
  });
});
