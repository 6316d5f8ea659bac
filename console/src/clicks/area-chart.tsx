import { Group, Paper, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, type RefObject, useState } from 'react';
import { axisValues, labelledPoints } from './chart-scale';

const height = 250;
const margin = { top: 10, right: 10, bottom: 24, left: 56 };
const labelWidth = 80;

export interface Series {
  name: string;
  /** A colour of the theme, such as `gray-5`. */
  color: string;
  dashed?: boolean;
  /** Whether the last value will grow. Its part of the line is dotted. */
  isUnfinished?: boolean;
  /** Whether the area below the line has its colour. True by default. */
  isFilled?: boolean;
  /** A value per point; null if it is unknown. */
  values: (number | null)[];
}

/** Draws series of counts as lines over the same points, with the values of the point below the pointer. */
export function AreaChart(props: {
  labels: string[];
  series: Series[];
  format: (value: number) => string;
  /** Gets the point of a click. */
  onSelect: (point: number) => void;
  drawing: RefObject<SVGSVGElement | null>;
}) {
  const { labels, series, format, onSelect, drawing } = props;
  const { ref, width } = useElementSize();
  const [at, setAt] = useState<number | null>(null);
  const axis = axisValues(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const inner = { width: Math.max(0, width - margin.left - margin.right), height: height - margin.top - margin.bottom };
  const stepPx = inner.width / Math.max(1, labels.length - 1);
  const xOf = (point: number): number => margin.left + point * stepPx;
  const yOf = (value: number): number => margin.top + inner.height * (1 - value / axis.at(-1)!);
  const showPoint = ({ nativeEvent }: PointerEvent): void => {
    const point = Math.round((nativeEvent.offsetX - margin.left) / Math.max(stepPx, 1));
    setAt(Math.min(Math.max(point, 0), labels.length - 1));
  };
  return (
    <div ref={ref} style={{ position: 'relative' }}>
      <svg
        width="100%"
        height={height}
        fontSize={12}
        fill="var(--mantine-color-dimmed)"
        ref={drawing}
        style={{ cursor: 'pointer' }}
        onClick={() => at !== null && onSelect(at)}
        onPointerMove={showPoint}
        onPointerLeave={() => setAt(null)}
      >
        {axis.map((value) => (
          <g key={value}>
            <line
              x1={margin.left}
              x2={margin.left + inner.width}
              y1={yOf(value)}
              y2={yOf(value)}
              stroke="var(--mantine-color-default-border)"
              strokeDasharray="5 5"
            />
            <text x={margin.left - 8} y={yOf(value)} textAnchor="end" dominantBaseline="middle">
              {format(value)}
            </text>
          </g>
        ))}
        {labelledPoints(labels.length, inner.width, labelWidth).map((point) => (
          <text
            key={point}
            x={xOf(point)}
            y={height - 6}
            textAnchor={point === 0 ? 'start' : point === labels.length - 1 ? 'end' : 'middle'}
          >
            {labels[point]}
          </text>
        ))}
        {series.map(({ name, color, dashed, isUnfinished, isFilled = true, values }) => {
          const line = values
            .map((value, point) => (value === null ? '' : `${xOf(point).toFixed(1)},${yOf(value).toFixed(1)}`))
            .filter((corner) => corner !== '');
          if (line.length === 0) return null;
          const stroke = `var(--mantine-color-${color})`;
          const ends = [line.at(-1)!, line[0]!].map((corner) => `${corner.split(',')[0]},${yOf(0)}`);
          return (
            <g key={name}>
              {isFilled && <polygon points={[...line, ...ends].join(' ')} fill={stroke} fillOpacity={0.15} />}
              <polyline
                points={(isUnfinished ? line.slice(0, -1) : line).join(' ')}
                fill="none"
                stroke={stroke}
                strokeWidth={2}
                strokeDasharray={dashed ? '5 5' : undefined}
              />
              {isUnfinished && (
                <polyline
                  points={line.slice(-2).join(' ')}
                  fill="none"
                  stroke={stroke}
                  strokeWidth={2}
                  strokeDasharray="2 4"
                />
              )}
            </g>
          );
        })}
        {at !== null && (
          <line
            x1={xOf(at)}
            x2={xOf(at)}
            y1={margin.top}
            y2={margin.top + inner.height}
            stroke="var(--mantine-color-dimmed)"
          />
        )}
      </svg>
      {at !== null && (
        <Paper
          withBorder
          shadow="sm"
          p="xs"
          style={{
            position: 'absolute',
            top: margin.top,
            ...(at * 2 < labels.length ? { left: xOf(at) + 8 } : { right: width - xOf(at) + 8 }),
            pointerEvents: 'none',
          }}
        >
          <Text size="sm" fw={600}>
            {labels[at]}
          </Text>
          {series.map(({ name, color, values }) => (
            <Text key={name} size="sm">
              <Dot color={color} /> {name}: {typeof values[at] === 'number' ? format(values[at]) : '–'}
            </Text>
          ))}
        </Paper>
      )}
      <Group justify="center" gap="md" mt={4}>
        {series.map(({ name, color }) => (
          <Text key={name} size="sm">
            <Dot color={color} /> {name}
          </Text>
        ))}
      </Group>
    </div>
  );
}

function Dot({ color }: { color: string }) {
  const background = `var(--mantine-color-${color})`;
  return <span style={{ display: 'inline-block', width: 10, height: 10, borderRadius: 5, background }} />;
}
