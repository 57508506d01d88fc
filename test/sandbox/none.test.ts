import { createNoSandbox } from '../../src/sandbox/none.ts';
import { sandboxConformance } from '../conformance/sandbox.ts';

sandboxConformance('none', createNoSandbox);
