import { Command } from 'commander';
import type { Cli } from '../cli.ts';

export function doctorCommand(_cli: Cli): Command {
  return new Command('doctor');
}
