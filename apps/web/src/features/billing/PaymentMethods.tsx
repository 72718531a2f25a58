import "../../en/payments.ts";
import { Box, Button, Skeleton, Tooltip, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type Card, limits } from "@terrarium/contract";
import CreditCard from "lucide-react/icons/credit-card";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { PageSection } from "../../components/PageSection.tsx";
import { serviceNow } from "../../components/service-time.ts";
import { Tag } from "../../components/Tag.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { useMe } from "../../session/user.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { AddCardDialog } from "./AddCardDialog.tsx";
import { cardName, expiryOf, isExpired } from "./card-name.ts";
import { deleteCard, makeDefault, paymentMethods } from "./payments.queries.ts";

type Asked = { what: "add" } | { what: "delete"; card: Card };

/** The cards of an organization: which one is charged, and ways to add, change and delete them. */
export function PaymentMethods() {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<Asked>();
  const { data, error, isPending, refetch } = useQuery(paymentMethods);
  const { mutate: remove } = useMutation(deleteCard);
  const { data: organization } = useQuery(organizationOf(useMe()));
  const hasPlan = Boolean(organization?.license.subscription);
  const cards = data?.map(({ card }) => card);
  return (
    <PageSection id="payment-methods" title={t("payments.methods.title")} about={t("payments.methods.about")}>
      {isPending && (
        <Delayed>
          <Skeleton
            variant="rounded"
            animation={false}
            height={96}
            component="output"
            aria-label={t("payments.methods.loading")}
          />
        </Delayed>
      )}
      {error && !data && (
        <ErrorState
          title={t("payments.methods.failed")}
          help={t("payments.methods.unread")}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {cards && (
        <Box sx={{ display: "grid", gap: 4 }}>
          {cards.length === 0 ? (
            <Typography color="textSecondary">{t("payments.methods.none")}</Typography>
          ) : (
            <Box component="ul" aria-label={t("payments.methods.title")} sx={list}>
              {cards.map((card) => (
                <CardRow key={card.uuid} card={card} hasPlan={hasPlan} onDelete={() => ask({ what: "delete", card })} />
              ))}
            </Box>
          )}
          {cards.length < limits.cards ? (
            <Box>
              <Button variant="outlined" onClick={() => ask({ what: "add" })}>
                {t("payments.methods.add")}
              </Button>
            </Box>
          ) : (
            <Typography variant="body2" color="textSecondary">
              {t("payments.methods.most")}
            </Typography>
          )}
        </Box>
      )}
      <OpenDialog
        asked={asked}
        dialogs={{
          add: () => <AddCardDialog onClose={close} />,
          delete: ({ card }) => {
            const next = card.is_default ? cards?.find(({ uuid }) => uuid !== card.uuid) : undefined;
            return (
              <ConfirmDialog
                isDestructive
                title={t("payments.deleteDialog.title", { card: cardName(t, card) })}
                confirm={t("payments.deleteDialog.confirm")}
                onClose={close}
                onConfirm={() => {
                  close();
                  remove(card);
                }}
              >
                <Typography color="textSecondary">
                  {next
                    ? t("payments.deleteDialog.helpNext", { next: cardName(t, next) })
                    : t("payments.deleteDialog.help")}
                </Typography>
              </ConfirmDialog>
            );
          },
        }}
      />
    </PageSection>
  );
}

function CardRow({ card, hasPlan, onDelete }: { card: Card; hasPlan: boolean; onDelete: () => void }) {
  const [today] = useState(() => new Date(serviceNow()));
  const { t } = useTranslation();
  const { mutate: choose, isPending } = useMutation(makeDefault);
  const name = cardName(t, card);
  const kind = isExpired(card, today) ? "payments.methods.expired" : "payments.methods.kind";
  return (
    <Box component="li" sx={row}>
      <Icon glyph={CreditCard} size={24} />
      <Box sx={{ minWidth: 0, flex: "1 1 180px" }}>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 2 }}>
          <Typography sx={{ fontWeight: 550 }}>{name}</Typography>
          {card.is_default && <Tag>{t("payments.methods.default")}</Tag>}
        </Box>
        <Typography variant="body2" color="textSecondary">
          {t(kind, { expiry: expiryOf(card) })}
        </Typography>
      </Box>
      <Box sx={{ display: "flex", gap: 1 }}>
        {!card.is_default && (
          <Button
            variant="text"
            disabled={isPending}
            aria-label={t("payments.methods.makeDefaultOne", { card: name })}
            onClick={() => choose(card)}
          >
            {t("payments.methods.makeDefault")}
          </Button>
        )}
        <Tooltip title={hasPlan ? t("payments.methods.errors.inUse") : ""}>
          <Button
            variant="text"
            color="error"
            aria-label={t("payments.methods.deleteOne", { card: name })}
            {...(hasPlan ? { "aria-disabled": true, sx: atRest } : { onClick: onDelete })}
          >
            {t("payments.methods.delete")}
          </Button>
        </Tooltip>
      </Box>
    </Box>
  );
}

/** It can be focused, so that the tip says why. */
const atRest = { color: "text.tertiary", "&[aria-disabled=true]": { cursor: "default" } } as const;
const list = { listStyle: "none", m: 0, p: 0, display: "grid", gap: 3 } as const;
const row = { display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 3, rowGap: 1 } as const;
