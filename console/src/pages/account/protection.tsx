import { Group, NumberInput, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccountProtection } from 'signpost-client';
import { useState } from 'react';
import { PermittedFields } from '../../components/permitted-fields';
import { ActionButton } from '../../components/action-button';
import { answerOf, api } from '../../api/client';
import { protectionQuery } from '../../api/queries';
import { FormError } from '../../components/form-error';
import { QueryView } from '../../components/query-view';
import { useI18n } from '../../i18n/i18n';

const maxDays = 3650;

/** Shows the protection of the account. */
export function Protection() {
  return (
    <QueryView query={useQuery(protectionQuery)} height={200}>
      {(protection) => <ProtectionForm protection={protection} />}
    </QueryView>
  );
}

/** Lets owners stop all changes, and limit the age of API keys. Other people see the reason of the refusal. */
function ProtectionForm({ protection }: { protection: AccountProtection }) {
  const { t } = useI18n();
  const client = useQueryClient();
  const [days, setDays] = useState<number | string>(protection.max_key_age_days ?? '');
  const save = useMutation({
    mutationFn: (body: Partial<AccountProtection>) => answerOf(api.PUT('/account/protection', { body })),
    onSuccess: ({ data }) => client.setQueryData(protectionQuery.queryKey, data),
  });
  return (
    <Paper className="card" p="lg">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ max_key_age_days: days === '' ? null : Number(days) });
        }}
      >
        <Stack>
          <Title order={2}>{t('account.protection')}</Title>
          <PermittedFields operation="updateAccountProtection">
            <Switch
              label={t('account.frozen')}
              description={t('account.frozenHint')}
              checked={protection.frozen}
              disabled={save.isPending}
              onChange={({ currentTarget }) => save.mutate({ frozen: currentTarget.checked })}
            />
            <Switch
              label={t('account.approvals')}
              description={t('account.approvalsHint')}
              checked={protection.approval_required}
              disabled={save.isPending}
              onChange={({ currentTarget }) => save.mutate({ approval_required: currentTarget.checked })}
            />
            <Group align="flex-end">
              <NumberInput
                label={t('account.maxKeyAge')}
                description={t('account.maxKeyAgeHint')}
                value={days}
                onChange={setDays}
                min={1}
                max={maxDays}
                allowDecimal={false}
              />
              <ActionButton
                operation="updateAccountProtection"
                type="submit"
                variant="default"
                loading={save.isPending}
              >
                {t('form.save')}
              </ActionButton>
            </Group>
          </PermittedFields>
          {protection.frozen && <Text size="sm">{t('account.isFrozen')}</Text>}
          <FormError error={save.error} fields={[]} />
        </Stack>
      </form>
    </Paper>
  );
}
