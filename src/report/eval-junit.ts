/** JUnit XML of an eval run. An undecided case is an `error`: CI systems take what is `skipped` for well. */
import type { EvalCaseRecord, EvalReport } from '../model/report.ts';
import { REPORT_MARK } from '../model/report.ts';
import { scoreWords } from '../model/score.ts';
import { whyLines } from './why.ts';
import { element, escapeText } from './xml.ts';

export function evalJunit(report: EvalReport): string {
  const { total, failed, skipped } = report.summary;
  const interrupted = report.interrupted ? [interruption(report)] : [];
  const counts = {
    tests: total + interrupted.length,
    failures: failed,
    errors: skipped + interrupted.length,
    skipped: 0,
    time: report.duration_seconds.toFixed(3),
  };
  const properties = element('properties', {}, [
    property('report', report.id),
    property('exit_code', report.exit_code),
    property(
      'agent',
      [report.agent.runtime, report.agent.runtime_version, report.agent.model].filter(Boolean).join(' '),
    ),
    ...(report.tape.note === null ? [] : [property('tape', report.tape.note)]),
    ...(report.judge.model === null ? [] : [property('judge', report.judge.model)]),
  ]);
  const suite = element('testsuite', { name: report.package.name, timestamp: report.timestamp, ...counts }, [
    properties,
    ...report.cases.map((it) => testcase(it, report)),
    ...interrupted,
  ]);
  const root = element('testsuites', { name: `aam eval ${report.package.name}`, ...counts }, [suite]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!-- ${REPORT_MARK} -->\n${root}\n`;
}

function property(name: string, value: string | number): string {
  return element('property', { name, value }, []);
}

function testcase(it: EvalCaseRecord, report: EvalReport): string {
  const attributes = {
    name: it.name,
    classname: it.target === null ? report.package.name : `${report.package.name}.${it.target}`,
    time: it.duration_seconds.toFixed(3),
    ...(it.file !== null && { file: it.file }),
    ...(it.line !== null && { line: it.line }),
  };
  if (it.verdict === 'PASS') return element('testcase', attributes, []);
  const [message = 'no reason was given'] = whyLines(it);
  const what = it.verdict === 'FAIL' ? 'failure' : 'error';
  return element('testcase', attributes, [
    element(what, { message, type: it.error_kind ?? 'check' }, [escapeText(details(it))]),
  ]);
}

function details(it: EvalCaseRecord): string {
  const said = it.agent_output_snippet.trim();
  return [
    ...whyLines(it),
    ...(typeof it.score === 'number' ? [`score: ${scoreWords(it.score)}`] : []),
    ...(said ? ['', 'the agent said:', said] : []),
    ...(it.capture ? ['', `look closer: ${it.capture}`] : []),
  ].join('\n');
}

/** Without it a run that was ended after its last verdict would look whole. */
function interruption({ package: { name } }: EvalReport): string {
  return element('testcase', { name: '(the run)', classname: name, time: '0.000' }, [
    element('error', { message: 'the run was interrupted', type: 'interrupted' }, []),
  ]);
}
