/** Sends cases and settings as another machine would get them. */
import { basename, dirname, relative } from 'node:path';
import type { Case, SuiteSettings } from '../../../src/model/case.ts';
import { travellingCase } from '../../../src/model/travel/case.ts';
import {
  atPlaces,
  settingsAtPlaces,
  settingsWithPlaces,
  type ToPlace,
  withPlaces,
} from '../../../src/model/travel/places.ts';
import { travellingSettings } from '../../../src/model/travel/settings.ts';

/** A bundle that holds one folder, by its own name. */
export function bundleOf(root: string): ToPlace {
  return (path) => {
    const inner = relative(root, path);
    if (inner === '..' || inner.startsWith('../')) return null;
    return `bundle:${basename(root)}${inner === '' ? '' : `/${inner}`}`;
  };
}

export function sent(it: Case, root: string): string {
  return JSON.stringify(withPlaces(bundleOf(root))(it));
}

/** There and back again: the bundle is unpacked where it came from. */
export function afterJourney(it: Case, root: string): Case {
  return atPlaces(dirname(root))(travellingCase.parse(JSON.parse(sent(it, root))));
}

export function settingsAfterJourney(settings: SuiteSettings, root: string): SuiteSettings {
  const text = JSON.stringify(settingsWithPlaces(settings, bundleOf(root)));
  return settingsAtPlaces(travellingSettings.parse(JSON.parse(text)), dirname(root));
}

/** What is expected to arrive: plain data, without what stays behind. */
export function asSent(it: Case): unknown {
  return JSON.parse(JSON.stringify({ ...it, ...(it.sources && { sources: [] }) }));
}
