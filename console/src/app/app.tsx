import { Center, Loader, MantineProvider, MantineThemeProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { queryClient } from '../api/query-client';
import { I18nProvider, useI18n } from '../i18n/i18n';
import { SignInAgain } from '../pages/sign-in/sign-in-again';
import { SignInPage } from '../pages/sign-in/sign-in.page';
import { KeyOffer } from '../session/key-offer';
import { useSession } from '../session/use-session';
import { router } from './router';
import { styleNonce } from './settings';
import { cssVariables, theme } from './theme';

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
            <KeyOffer />
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
  if (state.kind === 'starting')
    return (
      <Center h="100vh">
        <Loader aria-label="Signpost" />
      </Center>
    );
  if (state.kind === 'signed-out' && !isKept) return <SignInPage expired={state.expired} failure={state.failure} />;
  return (
    <>
      <RouterProvider router={router} />
      <SignInAgain opened={isKept} />
    </>
  );
}
