import { Anchor, Paper, Text, Typography } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useRef } from 'react';
import { NotFoundPage } from '../../components/not-found';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';
import { helpPages } from './help-pages';

const start = '/console/help/';

/** Shows a page of the documentation, which is built into the console and so fits its version. */
export function HelpPage() {
  const { t, language } = useI18n();
  const { _splat: name = '' } = useParams({ from: '/help/$' });
  const hash = useRouterState({ select: (state) => state.location.hash });
  const navigate = useNavigate();
  const load = helpPages.get(name);
  const page = useQuery({ queryKey: ['help', name], queryFn: () => load!(), enabled: load !== undefined });
  const text = useRef<HTMLDivElement>(null);
  useDocumentTitle(`${t('help.title')} – Signpost`);
  const html = page.data;
  useEffect(() => {
    if (html !== undefined && hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [html, hash]);
  if (load === undefined) return <NotFoundPage />;
  /** Opens links between pages without a load of the console. */
  const follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest('a')?.getAttribute('href');
    if (!link || link.startsWith('http') || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const [path = '', anchor] = link.split('#');
    const splat = path === '' ? name : path.slice(start.length);
    void navigate({ to: '/help/$', params: { _splat: splat }, ...(anchor !== undefined && { hash: anchor }) });
  };
  return (
    <Paper className="card help" p="lg">
      {language !== 'en' && (
        <Text size="sm" c="dimmed" mb="md">
          {t('help.english')}
        </Text>
      )}
      {name !== 'index' && (
        <Anchor href={`${start}index`} onClick={follow} size="sm">
          {t('help.all')}
        </Anchor>
      )}
      <QueryView query={page} height={600}>
        {(content) => (
          <Typography>
            <div lang="en" ref={text} onClick={follow} dangerouslySetInnerHTML={{ __html: content }} />
          </Typography>
        )}
      </QueryView>
    </Paper>
  );
}
