/** The public API: what the command line does, for programs. */
export type { Diagnostic } from './model/diagnostic.ts';
export { PrerequisiteError, UserError } from './model/errors.ts';
export type { Host } from './model/host.ts';
export { jsonSchema, SCHEMAS, type SchemaName } from './model/schemas.ts';
export type { TestReport } from './model/test-report.ts';
export type { ValidationReport } from './model/validation-report.ts';
export { runTests, type TestOptions } from './pipeline/test.ts';
export type { TestEvent } from './pipeline/test-events.ts';
export { type ValidateOptions, validate } from './pipeline/validate.ts';
