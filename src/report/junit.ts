/** JUnit XML of a test run, as CI systems read it. */
import type { TestCaseRecord, TestPackageRecord, TestReport } from '../model/test-report.ts';
import { element, escapeText } from './xml.ts';

export function junit(report: TestReport): string {
  const { passed, failed, skipped } = report.summary;
  const errors = report.packages.reduce((sum, pkg) => sum + invalidFiles(pkg).length, 0);
  const attributes = {
    name: 'aam test',
    tests: passed + failed + skipped + errors,
    failures: failed,
    errors,
    skipped,
    time: seconds(report.duration_ms),
  };
  const suites = report.packages.flatMap(packageSuites);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', attributes, suites)}\n`;
}

function packageSuites(pkg: TestPackageRecord): string[] {
  const targets = [...new Set(pkg.cases.map(({ target }) => target))];
  const suites = targets.map((target) => {
    const cases = pkg.cases.filter((it) => it.target === target);
    const count = (verdict: TestCaseRecord['verdict']) => cases.filter((it) => it.verdict === verdict).length;
    const attributes = {
      name: `${pkg.name} ${target}`,
      tests: cases.length,
      failures: count('FAIL'),
      errors: 0,
      skipped: count('SKIP'),
      time: seconds(cases.reduce((sum, it) => sum + it.duration_ms, 0)),
    };
    return element(
      'testsuite',
      attributes,
      cases.map((it) => testcase(it, pkg)),
    );
  });
  return pkg.errors.length > 0 ? [...suites, invalidSuite(pkg)] : suites;
}

function testcase(it: TestCaseRecord, pkg: TestPackageRecord): string {
  const attributes = {
    name: it.name,
    classname: `${pkg.name}.${it.target}`,
    time: seconds(it.duration_ms),
    file: it.file,
    line: it.line ?? 1,
  };
  const failed = it.checks.filter((check) => check.verdict === 'FAIL');
  const message = it.error ?? failed.map((check) => `${check.check}: ${check.message}`).join('; ');
  const details = [
    ...failed.map(
      (check) =>
        `${check.file}:${check.line}:${check.column}: ${check.check}: ${check.message}${check.diff ? `\n${check.diff}` : ''}`,
    ),
    ...it.runs.map(
      (run) => `$ ${run.command}\nexit code ${run.exit_code}\nstdout:\n${run.stdout}\nstderr:\n${run.stderr}`,
    ),
  ].join('\n\n');
  if (it.verdict === 'PASS') return element('testcase', attributes, []);
  if (it.verdict === 'SKIP') return element('testcase', attributes, [element('skipped', { message }, [])]);
  return element('testcase', attributes, [
    element('failure', { message, type: it.error_kind ?? 'check' }, [escapeText(details)]),
  ]);
}

/** Cases that could not be run, because something in their files is wrong. */
function invalidSuite(pkg: TestPackageRecord): string {
  const { name, errors } = pkg;
  const cases = invalidFiles(pkg).map((file) => {
    const found = errors.filter((it) => it.file === file);
    const text = found.map((it) => `${file}:${it.line ?? 1}:${it.column ?? 1}: ${it.message}`).join('\n');
    const attributes = {
      name: file,
      classname: `${name}.invalid`,
      time: '0.000',
      file,
      line: found[0]?.line ?? 1,
    };
    return element('testcase', attributes, [
      element('error', { message: found[0]?.message ?? '', type: 'invalid' }, [escapeText(text)]),
    ]);
  });
  const attributes = {
    name: `${name} invalid`,
    tests: cases.length,
    failures: 0,
    errors: cases.length,
    skipped: 0,
    time: '0.000',
  };
  return element('testsuite', attributes, cases);
}

function invalidFiles({ errors }: TestPackageRecord): string[] {
  return [...new Set(errors.map(({ file }) => file))];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
