/** `aam schema`. */
import { Command } from 'commander';
import { UserError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import type { Cli } from '../cli.ts';

export function schemaCommand(cli: Cli): Command {
  return new Command('schema')
    .description('Print the JSON Schema of a file format, for editors and other programs.')
    .argument('[name]', 'which one; without it the names are listed')
    .addHelpText(
      'after',
      `
Examples:
  aam schema                                  list the names
  aam schema eval-case > eval-case.json       save one

In a YAML file, an editor with the YAML language server completes and checks after this first line:
  # yaml-language-server: $schema=node_modules/aam/schema/eval-case.schema.json`,
    )
    .action(async (name: string | undefined) => {
      const { jsonSchema, SCHEMAS } = await import('../../model/schemas.ts');
      const names = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];
      if (name === undefined) {
        const width = Math.max(...names.map((it) => it.length));
        cli.out(
          names.map((it) => `${it.padEnd(width)}  ${cli.colors.dim(SCHEMAS[it].describes)}`).join('\n'),
        );
        return;
      }
      const found = names.find((it) => it === name);
      if (!found) {
        const meant = nearest(name, names);
        throw new UserError(
          `there is no schema ${name}`,
          meant ? `did you mean ${meant}?` : `there is: ${names.join(', ')}`,
        );
      }
      cli.out(JSON.stringify(jsonSchema(found), null, 2));
    });
}
