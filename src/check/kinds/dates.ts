/** Days in the ways people write them. Only the day counts, as it is written: times and zones do not move it. */

/** Where both could be meant, the month comes first. */
const USUAL = [
  'YYYY-MM-DD',
  'YYYY-MM-DDTHH:mm:ss',
  'YYYY-MM-DDTHH:mm:ssZ',
  'DD-MMM-YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'MM-DD-YYYY',
  'DD-MM-YYYY',
];

/** As `YYYY-MM-DD`; null: it is no day in any of the formats. */
export function readDate(value: unknown, formats: readonly string[]): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  for (const format of formats.length > 0 ? formats : USUAL) {
    const day = dayOf(patternOf(format).exec(text)?.groups);
    if (day !== null) return day;
  }
  return null;
}

const TOKENS: Readonly<Record<string, string>> = {
  YYYY: String.raw`(?<year>\d{4})`,
  MMMM: String.raw`(?<name>\p{L}+)`,
  MMM: String.raw`(?<name>\p{L}+)`,
  MM: String.raw`(?<month>\d{2})`,
  M: String.raw`(?<month>\d{1,2})`,
  DD: String.raw`(?<day>\d{2})`,
  D: String.raw`(?<day>\d{1,2})`,
  HH: String.raw`\d{2}`,
  mm: String.raw`\d{2}`,
  ss: String.raw`\d{2}(?:\.\d+)?`,
  Z: String.raw`(?:Z|[+-]\d{2}:?\d{2})`,
};

function patternOf(format: string): RegExp {
  const source = format.replace(/YYYY|MMMM|MMM|MM|M|DD|D|HH|mm|ss|Z|[\\^$.*+?()[\]{}|/]/g, (part) => {
    return TOKENS[part] ?? `\\${part}`;
  });
  try {
    return new RegExp(`^${source}$`, 'iu');
  } catch {
    // Something is named twice: nothing is written like that.
    return /(?!)/;
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const LONG_MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july'],
  ...['august', 'september', 'october', 'november', 'december'],
];

function dayOf(found: Readonly<Record<string, string | undefined>> | undefined): string | null {
  if (!found?.['year'] || !found['day']) return null;
  const month = found['month'] ?? monthNamed(found['name'] ?? '');
  const iso = `${found['year']}-${month.padStart(2, '0')}-${found['day'].padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  // The 31st of a month that has 30 days is no day.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null;
}

function monthNamed(name: string): string {
  const plain = name.toLowerCase();
  const index = LONG_MONTHS.indexOf(plain);
  return String((index < 0 ? MONTHS.indexOf(plain === 'sept' ? 'sep' : plain) : index) + 1);
}
