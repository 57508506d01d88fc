import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sealOf } from '../../src/gateway/tape/write.ts';
import type { TapeCheckReport, TapeScrubReport } from '../../src/model/tape-report.ts';
import { aam } from '../helpers/cli.ts';
import { evalCase, modelEnv, PACKAGE } from '../helpers/eval.ts';
import { modelServer } from '../helpers/model-server.ts';
import { packageOnce } from '../helpers/once.ts';
import { type Files, skillText, writePackage } from '../helpers/package.ts';

const FILES: Files = {
  ...PACKAGE,
  'README.md': 'About it.\n',
  'hooks/hooks.json': { version: 1, hooks: {} },
  'evals/cases/a.yaml': evalCase('a'),
  'evals/cases/b.yaml': evalCase('b'),
};
const TAPE = 'evals/tapes/a.claude-code.with.1.jsonl';

async function record(root: string, ...args: string[]): Promise<void> {
  await using server = await modelServer([{ text: 'Done.' }]);
  const all = ['eval', '--no-judge', '--model', 'claude-sonnet-5-5', '--tape', 'record', ...args];
  const result = await aam(all, { cwd: root, env: modelEnv(server.url) });
  if (!result.stdout.includes('recorded')) throw new Error(result.stdout + result.stderr);
}

/** A package whose cases were recorded. */
const taped = packageOnce(FILES, (root) => record(root));

/** Only the case a was. */
async function tapedOfA() {
  const pkg = await taped();
  await rm(join(pkg.root, TAPE.replace('/a.', '/b.')));
  return pkg;
}

async function check(root: string, ...args: string[]) {
  const { stdout, stderr, code } = await aam(['tape', 'check', '--json', ...args], { cwd: root });
  if (stdout === '') throw new Error(stderr);
  const report = JSON.parse(stdout) as TapeCheckReport;
  return { code, report, states: report.tapes.map(({ state, reasons }) => [state, ...reasons]) };
}

describe('aam tape check', () => {
  it('tells how tapes were made, and which of them something has changed for', async () => {
    await using pkg = await writePackage(FILES);
    await record(pkg.root, '--tape-source', 'scripted');
    const fresh = await check(pkg.root);
    expect(fresh).toMatchObject({ code: 0, report: { ok: true, folder: 'evals/tapes' } });
    expect(fresh.report.tapes[0]).toMatchObject({
      file: TAPE,
      state: 'current',
      case: 'a',
      engine: 'claude-code',
      engine_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      source: 'scripted',
      age_days: 0,
      models: ['claude-sonnet-5-5'],
    });
    const { stdout } = await aam(['tape', 'check'], { cwd: pkg.root });
    expect(stdout).toMatch(
      /^✓ a\.claude-code\.with\.1\.jsonl {2}scripted, claude-code \S+, claude-sonnet-5-5, today$/m,
    );

    await writeFile(join(pkg.root, 'README.md'), 'For people only.\n');
    expect((await check(pkg.root)).code).toBe(0);
    await writeFile(join(pkg.root, 'skills/echo/SKILL.md'), skillText('echo', 'Do it well.\n'));
    await writeFile(join(pkg.root, 'skills/echo/more.md'), 'New.\n');
    await rm(join(pkg.root, 'hooks'), { recursive: true });
    const stale = ['hooks/hooks.json is gone', 'skills/echo/SKILL.md changed', 'skills/echo/more.md is new'];
    expect(await check(pkg.root)).toMatchObject({
      code: 1,
      states: [
        ['stale', ...stale],
        ['stale', ...stale],
      ],
    });
    const told = await aam(['tape', 'check'], { cwd: pkg.root });
    expect(told.stdout).toContain('stale: skills/echo/SKILL.md changed');
    expect(told.stdout).toContain('0 current, 2 stale');
  });

  it('knows cases that changed, went or came, another judge and another version', async () => {
    await using pkg = await taped();
    await writeFile(
      join(pkg.root, 'evals/cases/a.yaml'),
      JSON.stringify(evalCase('a', { description: 'x' })),
    );
    await rm(join(pkg.root, 'evals/cases/b.yaml'));
    await writeFile(join(pkg.root, 'evals/cases/c.yaml'), JSON.stringify(evalCase('c')));
    expect((await check(pkg.root)).states).toEqual([
      ['stale', 'evals/cases/a.yaml changed'],
      ['stale', 'there is no case b any more'],
      ['missing', 'there is no such tape'],
    ]);
    const tape = join(pkg.root, TAPE);
    const [header = '', ...rest] = (await readFile(tape, 'utf8')).trimEnd().split('\n');
    const judge = { name: 'claude-opus', provider: 'anthropic', transport: 'api', model: 'm' };
    const other = { ...JSON.parse(header), engine_version: '1.0.0', judge };
    const body = [JSON.stringify(other), ...rest.slice(0, -1)].map((line) => `${line}\n`).join('');
    const end = { ...JSON.parse(rest.at(-1) ?? ''), sha256: sealOf(body) };
    await writeFile(tape, `${body}${JSON.stringify(end)}\n`);
    expect((await check(pkg.root)).states[0]).toEqual([
      'stale',
      'evals/cases/a.yaml changed',
      'the judge is the model of the agent, and was claude-opus',
      expect.stringMatching(/^recorded with claude-code 1\.0\.0, this is \d/),
    ]);
  });

  it('tells a damaged tape, and that there is none', async () => {
    await using pkg = await tapedOfA();
    const tape = join(pkg.root, TAPE);
    await writeFile(tape, (await readFile(tape, 'utf8')).slice(0, -20));
    expect((await check(pkg.root)).states[0]).toEqual(['damaged', expect.stringMatching(/^evals.*:\d+: /)]);
    await rm(tape);
    expect(await aam(['tape', 'check'], { cwd: pkg.root })).toMatchObject({
      code: 2,
      stderr: 'error: there are no tapes in evals/tapes\n  make some:  aam eval --tape record\n',
    });
  });
});

describe('aam tape check of eval files', () => {
  const skill: Files = {
    'SKILL.md': skillText('demo'),
    'evals/evals.json': { skill_name: 'demo', evals: [{ id: 1, prompt: 'Do it.', expectations: ['Done.'] }] },
    'more/evals.json': { skill_name: 'demo', evals: [{ id: 7, prompt: 'More.', expectations: ['Done.'] }] },
  };

  it('finds the tapes of each, and says what a replay would find', async () => {
    await using pkg = await writePackage(skill);
    await record(pkg.root);
    await record(pkg.root, 'more/evals.json');
    expect(await check(pkg.root)).toMatchObject({ code: 0, states: [['current']] });
    expect(await check(pkg.root, 'more/evals.json')).toMatchObject({
      code: 0,
      report: { tapes: [{ file: 'evals/tapes/7.claude-code.with.1.jsonl', case: '7' }] },
    });
    const changed = { skill_name: 'demo', evals: [{ id: 7, prompt: 'Less.', expectations: ['Done.'] }] };
    await writeFile(join(pkg.root, 'more/evals.json'), JSON.stringify(changed));
    expect((await check(pkg.root, 'more/evals.json')).states).toEqual([['stale', 'evals.json changed']]);
    const scrubbed = await aam(['tape', 'scrub', 'more/evals.json'], { cwd: pkg.root });
    expect(scrubbed.stdout).toContain('in 1 tape in evals/tapes');
  });

  it('keeps the cases of a package and of its evals.json apart, though their tapes lie together', async () => {
    await using pkg = await taped();
    const evals = { evals: [{ id: 'own', prompt: 'Do it.', expectations: ['Done.'] }] };
    await writeFile(join(pkg.root, 'evals/evals.json'), JSON.stringify(evals));
    expect((await check(pkg.root)).states).toEqual([['current'], ['current']]);
    await record(pkg.root, 'evals/evals.json');
    expect((await check(pkg.root)).states).toEqual([['current'], ['current'], ['current']]);
  });
});

describe('tapes that cannot be read', () => {
  it('are told with their names', async () => {
    await using pkg = await tapedOfA();
    await mkdir(join(pkg.root, 'evals/tapes/b.claude-code.with.1.jsonl'));
    await symlink('nowhere', join(pkg.root, 'evals/tapes/c.jsonl'));
    const states = (await check(pkg.root)).states;
    expect(states[1]).toEqual([
      'damaged',
      'evals/tapes/b.claude-code.with.1.jsonl cannot be read: it is a folder',
    ]);
    expect(states[2]).toEqual(['damaged', 'evals/tapes/c.jsonl cannot be read: it is a link to nothing']);
    const scrubbed = await aam(['tape', 'scrub'], { cwd: pkg.root });
    expect(scrubbed).toMatchObject({
      code: 2,
      stderr: 'error: evals/tapes/b.claude-code.with.1.jsonl cannot be read: it is a folder\n',
    });
    const elsewhere = await aam(['tape', 'check', '--tapes', 'package.agent.json'], { cwd: pkg.root });
    expect(elsewhere).toMatchObject({
      code: 2,
      stderr: 'error: package.agent.json cannot be read: it is no folder\n',
    });
  });

  it('are no such thing for the ends of their lines', async () => {
    await using pkg = await tapedOfA();
    const tape = join(pkg.root, TAPE);
    await writeFile(tape, (await readFile(tape, 'utf8')).replaceAll('\n', '\r\n'));
    expect((await check(pkg.root)).states[0]).toEqual(['current']);
  });
});

describe('aam tape scrub', () => {
  it('finds what a killed run left behind, and keys behind escapes', async () => {
    await using pkg = await tapedOfA();
    const key = `sk-ant-${'api03-Xy7'.repeat(5)}`;
    const inAnswer = JSON.stringify({
      body: { text: JSON.stringify({ arguments: JSON.stringify({ cmd: `echo\t${key}` }) }) },
    });
    await writeFile(join(pkg.root, 'evals/tapes/b.jsonl.1234.tmp'), `${inAnswer}\n`);
    const { stdout, code } = await aam(['tape', 'scrub', '--json'], { cwd: pkg.root });
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as TapeScrubReport).findings).toEqual([
      { file: 'evals/tapes/b.jsonl.1234.tmp', line: 1, kind: 'Anthropic key' },
    ]);
  });

  it('finds keys by file and line, wherever they are, and does not print them', async () => {
    await using pkg = await taped();
    const scrub = async (env: NodeJS.ProcessEnv = {}) => {
      const { stdout, code } = await aam(['tape', 'scrub', '--json'], { cwd: pkg.root, env });
      return { code, stdout, report: JSON.parse(stdout) as TapeScrubReport };
    };
    expect(await scrub()).toMatchObject({ code: 0, report: { ok: true, files: 2, findings: [] } });
    const tape = join(pkg.root, TAPE);
    const text = await readFile(tape, 'utf8');
    const token = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const pieces = [token.slice(0, 11), token.slice(11)].map(
      (piece) => `data: ${JSON.stringify({ index: 0, delta: { text: piece } })}\n\n`,
    );
    const lines = [
      JSON.stringify({ body: { base64: Buffer.from(`x ${token} y`).toString('base64') } }),
      JSON.stringify({ body: { text: pieces.join('') } }),
      `not JSON, with AKIA${'ABCDEFGH'.repeat(2)}`,
    ];
    await writeFile(tape, `${text}${lines.join('\n')}\n`);
    const first = text.split('\n').length;
    const { code, report, stdout } = await scrub();
    expect(code).toBe(1);
    expect(report.findings).toEqual([
      { file: TAPE, line: first, kind: 'GitHub token' },
      { file: TAPE, line: first + 1, kind: 'GitHub token' },
      { file: TAPE, line: first + 2, kind: 'AWS key' },
    ]);
    expect(stdout).not.toContain(token.slice(0, 20));
    const told = await aam(['tape', 'scrub'], { cwd: pkg.root });
    expect(told.stdout).toContain(`${TAPE}:${first}: GitHub token\n`);
    expect(told).toMatchObject({ code: 1, stderr: '' });

    await writeFile(tape, text);
    const ours = await scrub({ ANTHROPIC_API_KEY: 'claude-sonnet-5-5' });
    expect(ours.report.findings).toContainEqual({ file: TAPE, line: 1, kind: 'a key of this machine' });
  });

  it('looks where it is told', async () => {
    await using pkg = await writePackage(FILES);
    await record(pkg.root, '--tapes', 'elsewhere');
    expect(await readdir(join(pkg.root, 'elsewhere'))).toHaveLength(2);
    const { stdout, code } = await aam(['tape', 'scrub', '--tapes', 'elsewhere'], { cwd: pkg.root });
    expect([code, stdout]).toEqual([0, '✓ nothing that looks like a secret in 2 tapes in elsewhere\n']);
  });
});

describe('aam tape', () => {
  it('explains itself, and is not loaded for other commands', async () => {
    const help = await aam(['tape', 'check', '--help']);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Examples:') });
    expect(await aam(['tape', 'nonsense'])).toMatchObject({ code: 2, stdout: '' });
    expect(await aam(['tape', 'check', '--nonsense'])).toMatchObject({ code: 2, stdout: '' });
    const bin = await readFile(new URL('../../dist/cli/commands/tape.js', import.meta.url), 'utf8');
    expect(bin).not.toMatch(/^import .*(pipeline|gateway|load)\//m);
  });
});
