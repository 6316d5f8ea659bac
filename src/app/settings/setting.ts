import type { z } from 'zod';
import { BadSetting } from '../../shared/bad-setting';

export class Setting<T = unknown> {
  constructor(
    readonly variable: string,
    readonly rule: z.ZodType<T>,
  ) {}
}

export const env = <T>(variable: string, rule: z.ZodType<T>): Setting<T> => new Setting(variable, rule);

interface SettingTable {
  readonly [name: string]: Setting | SettingTable;
}

export type Values<T> = { [N in keyof T]: T[N] extends Setting<infer V> ? V : Values<T[N]> };

export const settingsIn = (table: SettingTable): Setting[] =>
  Object.values(table).flatMap((part) => (part instanceof Setting ? [part] : settingsIn(part)));

/**
 * Reads the values of a table. A variable with an empty value counts as not set.
 * @throws BadSetting for the first one that is invalid
 */
export function readSettings<T extends SettingTable>(table: T, environment: NodeJS.ProcessEnv): Values<T> {
  const values = Object.entries(table).map(([name, part]) => [
    name,
    part instanceof Setting ? valueOf(part, environment) : readSettings(part, environment),
  ]);
  return Object.fromEntries(values) as Values<T>;
}

function valueOf({ variable, rule }: Setting, environment: NodeJS.ProcessEnv): unknown {
  const parsed = rule.safeParse(environment[variable] === '' ? undefined : environment[variable]);
  if (!parsed.success) throw new BadSetting(`${variable}: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}
