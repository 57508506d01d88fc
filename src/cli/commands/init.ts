import { Command } from 'commander';
import type { Cli } from '../cli.ts';

export function initCommand(_cli: Cli): Command {
  return new Command('init');
}
