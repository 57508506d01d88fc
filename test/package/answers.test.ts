import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { answerFinder, isNeeded } from '../../src/package/answers.ts';
import { CLEAN, writePackage } from '../helpers/package.ts';

const CRITERIA = `The answer must name the three largest lakes of the country — "Ladoga", Onega and
  Vänern among them — and give the area of each in square kilometres, rounded to whole numbers.`;

const OTHER = 'Every river of the list is named together with the sea that it flows into.';

async function finder() {
  await using pkg = await writePackage({
    ...CLEAN,
    'agents/critic/agent.yaml': 'name: critic\ndescription: Finds faults.\nsystem_prompt: words.md\n',
    'agents/critic/words.md': '---\ndescription: d\n---\nYou judge.\n',
    'evals/cases/lakes.yaml': { name: 'lakes', input: { prompt: 'Hi' }, judge: { criteria: CRITERIA } },
    'evals/cases/short.yaml': { name: 'short', input: { prompt: 'Hi' }, judge: { criteria: 'It is good.' } },
  });
  const read = await readPackage(pkg.root);
  return {
    find: answerFinder(read, [
      { name: 'other', criteria: [{ id: 'a', text: OTHER, weight: 1, required: true }] },
    ]),
    pkg: read,
  };
}

describe('answers are found', () => {
  it.each([
    ['as they are', `# Notes\n${CRITERIA}\n`],
    ['in other lines', CRITERIA.replaceAll(/\s+/g, '\n    ')],
    ['in JSON', JSON.stringify({ text: CRITERIA })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ text: CRITERIA }))],
    ['in JSON of ASCII', JSON.stringify(CRITERIA).replaceAll('ä', '\\u00e4').replaceAll('—', '\\u2014')],
    ['in XML', CRITERIA.replaceAll('"', '&quot;').replaceAll('\n', '&#10;')],
    ['in part', CRITERIA.slice(60)],
  ])('%s', async (_, text) => {
    const { find } = await finder();
    expect(find(text)).toBe('has the criteria of the eval case lakes in it');
  });

  it.each([
    ['name: lakes\ninput: { prompt: x }\nexpected:\n  files-created: [a]\n', 'defines the eval case lakes'],
    ['[{"name": "short", "judge": {"criteria": "Old words"}}]', 'defines the eval case short'],
    ['{\n "id": "eval-run-1",\n "cases": [{"deterministic_checks": {}}]}', 'is a report of aam eval'],
    ['{"tape":1,"source":"recorded","recorded_at":"x"}\n', 'is a tape'],
    ['{"verdict":"FAIL","errorKind":null,"skillsActivated":[]}', 'is a record of a run'],
    ['{"trial":"a","command":[],"ended":"exited","stderr":"","events":[]}', 'is a record of a run'],
    ['<?xml version="1.0"?>\n<testsuites name="aam test" tests="1">', 'is a result for CI'],
    ['  ✗ contains: the output does not contain "42"', 'is the output of aam eval'],
    ['codex 1.0; sandbox: bubblewrap; report: evals/reports/x.json', 'is the output of aam eval'],
  ])('by their form: %s', async (text, why) => {
    const { find } = await finder();
    expect(find(text)).toBe(why);
  });

  it('also of cases from elsewhere', async () => {
    const { find } = await finder();
    expect(find(OTHER)).toBe('has the criteria of the eval case other in it');
  });

  it('but not in what only sounds like them', async () => {
    const { find } = await finder();
    for (const text of [
      'It is good.',
      'The answer must name the lakes.',
      'name: lakes\nexpected: rain\n',
      'name: rivers\ncriteria: none\n',
      '{"checks": [], "exit_code": 0}',
    ])
      expect(find(text), text).toBeNull();
  });
});

it('knows the files that a package cannot do without', async () => {
  const { pkg } = await finder();
  const needed = ['package.agent.json', 'skills/echo/SKILL.md', 'agents/critic/words.md', 'lib/run.py'];
  for (const path of needed) expect(isNeeded(pkg, path, 'x'), path).toBe(true);
  expect(isNeeded(pkg, 'lib/run', '#!/bin/sh\n')).toBe(true);
  for (const path of ['README.md', 'out.txt', 'skills/echo/references/a.md'])
    expect(isNeeded(pkg, path, 'x'), path).toBe(false);
});
