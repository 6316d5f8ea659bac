import { readFileSync } from 'node:fs';
import { geoNaturalEarth1, geoPath } from 'd3-geo';
import { iso31661 } from 'iso-3166';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

const id = 'virtual:world-map';
const size = { width: 800, height: 400 };

/**
 * Provides the outlines of countries as SVG paths, by their code of two letters. They are projected while the console is built, so
 * that browsers load neither the projection nor the original data. The file is from world-atlas 2.0.2 (ISC). Its data of Natural
 * Earth is in the public domain.
 */
export function worldMap(): Plugin {
  return {
    name: 'signpost-world-map',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? `export default ${JSON.stringify(draw())};` : undefined),
  };
}

function draw(): { width: number; height: number; countries: Record<string, string> } {
  const file = new URL('countries-110m.json', import.meta.url);
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology<{ countries: GeometryCollection }>;
  const codes = new Map(iso31661.map(({ numeric, alpha2 }) => [numeric, alpha2]));
  const { features } = feature(topology, topology.objects.countries);
  const shown = features.filter(({ id: numeric }) => numeric !== '010');
  const projection = geoNaturalEarth1().fitSize([size.width, size.height], {
    type: 'FeatureCollection',
    features: shown,
  });
  const path = geoPath(projection).digits(1);
  const countries: Record<string, string> = {};
  for (const country of shown) {
    const code = codes.get(String(country.id)) ?? `x-${Object.keys(countries).length}`;
    countries[code] = path(country) ?? '';
  }
  return { ...size, countries };
}
