import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { TestCaseRecord, TestReport } from '../../src/model/test-report.ts';
import { junit } from '../../src/report/junit.ts';

const base: TestCaseRecord = {
  id: 'skill:a/one',
  name: 'one',
  stem: '01-one',
  target: 'skill:a',
  file: 'skills/a/tests/cases/01-one.yaml',
  line: 1,
  column: 1,
  verdict: 'PASS',
  duration_ms: 12.3,
  checks: [],
  runs: [],
  notes: [],
};

function report(cases: TestCaseRecord[], more: Partial<TestReport['packages'][0]> = {}): TestReport {
  const count = (verdict: string) => cases.filter((it) => it.verdict === verdict).length;
  const invalid = more.errors?.length ?? 0;
  return {
    version: 1,
    sandbox: 'bubblewrap',
    duration_ms: 1500,
    summary: {
      total: cases.length + invalid,
      passed: count('PASS'),
      failed: count('FAIL'),
      skipped: count('SKIP'),
      invalid,
    },
    exit_code: 0,
    packages: [{ name: 'demo', version: '1.0.0', root: '/demo', cases, errors: [], warnings: [], ...more }],
  };
}

describe('junit', () => {
  it('writes one test case per case, with place, time and reason', () => {
    const position = { file: base.file, line: 5, column: 3 };
    const check = {
      check: 'exit-code',
      verdict: 'FAIL' as const,
      message: 'expected exit code 0, got 1',
      expected: 0,
      actual: 1,
      ...position,
    };
    const failed: TestCaseRecord = { ...base, name: 'two', verdict: 'FAIL', checks: [check] };
    const skipped: TestCaseRecord = {
      ...base,
      name: 'three',
      target: 'hook:stop',
      verdict: 'SKIP',
      error: 'needs a model',
      error_kind: 'needs-model',
    };
    const error = {
      severity: 'error' as const,
      rule: 'syntax',
      file: 'x.yaml',
      line: 3,
      column: 1,
      message: 'is wrong',
    };
    expect(junit(report([base, failed, skipped], { errors: [error] }))).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="aam test" tests="4" failures="1" errors="1" skipped="1" time="1.500">
      <testsuite name="demo skill:a" tests="2" failures="1" errors="0" skipped="0" time="0.025">
      <testcase name="one" classname="demo.skill:a" time="0.012" file="skills/a/tests/cases/01-one.yaml" line="1"/>
      <testcase name="two" classname="demo.skill:a" time="0.012" file="skills/a/tests/cases/01-one.yaml" line="1">
      <failure message="exit-code: expected exit code 0, got 1" type="check">
      skills/a/tests/cases/01-one.yaml:5:3: exit-code: expected exit code 0, got 1
      </failure>
      </testcase>
      </testsuite>
      <testsuite name="demo hook:stop" tests="1" failures="0" errors="0" skipped="1" time="0.012">
      <testcase name="three" classname="demo.hook:stop" time="0.012" file="skills/a/tests/cases/01-one.yaml" line="1">
      <skipped message="needs a model"/>
      </testcase>
      </testsuite>
      <testsuite name="demo invalid" tests="1" failures="0" errors="1" skipped="0" time="0.000">
      <testcase name="x.yaml" classname="demo.invalid" time="0.000" file="x.yaml" line="3">
      <error message="is wrong" type="invalid">
      x.yaml:3:1: is wrong
      </error>
      </testcase>
      </testsuite>
      </testsuites>
      "
    `);
  });

  it('stays well-formed whatever a command printed', () => {
    const nasty = '\x00\x1b[31m]]>&<"\'\ud800\ufffe é 日本 ';
    const run = {
      command: nasty,
      cwd: '.',
      ended: 'exited' as const,
      exit_code: 1,
      stdout: nasty,
      stderr: nasty,
      truncated: false,
      duration_ms: 1,
    };
    const xml = junit(report([{ ...base, verdict: 'FAIL', error: nasty, runs: [run] }]));
    const parse =
      'import sys, xml.dom.minidom as d; print(len(d.parseString(sys.stdin.buffer.read()).getElementsByTagName("failure")))';
    expect(execFileSync('python3', ['-c', parse], { input: xml, encoding: 'utf8' })).toBe('1\n');
  });
});
