import { Center, Loader, MantineProvider, MantineThemeProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { queryClient } from '../api/query-client';
import { BrokenReleasesDialog } from '../components/broken-releases';
import { I18nProvider, useI18n } from '../i18n/i18n';
import { useOfferedKey, useSession } from '../session/use-session';
import { router } from './router';
import { styleNonce } from './settings';
import { cssVariables, theme } from './theme';

const loadSignInAgain = () => import('../pages/sign-in/sign-in-again');

// Most loads of the console show none of them.
const KeyOffer = lazy(() => import('../session/key-offer'));
const SignInAgain = lazy(loadSignInAgain);
const SignInPage = lazy(() => import('../pages/sign-in/sign-in.page'));

/** Provides theme, language and data to the pages, and asks for a sign-in if nobody is signed in. */
export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <I18nProvider>
        <CloseButtonNames>
          <QueryClientProvider client={queryClient}>
            <Notifications position="bottom-right" />
            <OfferedKey />
            <BrokenReleasesDialog />
            <SignedIn />
          </QueryClientProvider>
        </CloseButtonNames>
      </I18nProvider>
    </MantineProvider>
  );
}

/** Names the close buttons of dialogs and notices in the reader's language, because those of the library have no name. */
function CloseButtonNames({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const named = useMemo(
    () => ({ components: { CloseButton: { defaultProps: { 'aria-label': t('dialog.close') } } } }),
    [t],
  );
  return (
    <MantineThemeProvider theme={named} inherit>
      {children}
    </MantineThemeProvider>
  );
}

function OfferedKey() {
  const isOffered = useOfferedKey() !== null;
  const [wasOffered, setOffered] = useState(isOffered);
  if (isOffered && !wasOffered) setOffered(true);
  return <Suspense>{wasOffered && <KeyOffer />}</Suspense>;
}

const waiting = (
  <Center h="100vh">
    <Loader aria-label="Signpost" />
  </Center>
);

function SignedIn() {
  const state = useSession();
  const isKept = state.kind === 'signed-out' && state.keepsPage === true;
  const isLeft = state.kind === 'signed-out' && !isKept;
  useEffect(() => {
    if (!isLeft) return;
    // The next account must not see the data of this one.
    queryClient.clear();
    notifications.clean();
  }, [isLeft]);
  const isSignedIn = state.kind === 'key' || state.kind === 'person';
  // The question must be there when a sign-in ends, even if a new version has replaced its file by then.
  useEffect(() => {
    if (isSignedIn) void loadSignInAgain();
  }, [isSignedIn]);
  const [wasKept, setKept] = useState(isKept);
  if (isKept && !wasKept) setKept(true);
  if (state.kind === 'starting') return waiting;
  if (state.kind === 'signed-out' && !isKept)
    return (
      <Suspense fallback={waiting}>
        <SignInPage expired={state.expired} failure={state.failure} />
      </Suspense>
    );
  return (
    <>
      <RouterProvider router={router} />
      <Suspense>{wasKept && <SignInAgain opened={isKept} />}</Suspense>
    </>
  );
}
