import { ActionIcon, Button, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { BinIcon, PlusIcon } from "#kit/icons.tsx";

const ADDRESSES_MAX = 10;

type RedirectListProps = { uris: string[]; onChange: (uris: string[]) => void; faultOf: (field: string) => string | undefined };

export const RedirectList = ({ uris, onChange, faultOf }: RedirectListProps) => {
  const { t } = useTranslation();
  return (
    <fieldset className="form-part">
      <legend>{t("appForm.redirects")}</legend>
      <p className="form-hint">{t("appForm.redirectsHint")}</p>
      {uris.map((uri, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an address is known by its place until it is saved.
        <div key={place} className="redirect-line">
          <TextInput
            className="grow"
            aria-label={t("appForm.redirect", { number: place + 1 })}
            type="url"
            inputMode="url"
            dir="ltr"
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            value={uri}
            error={faultOf(`redirect_uris.${place}`)}
            onChange={(event) => onChange(uris.with(place, event.currentTarget.value))}
          />
          {uris.length > 1 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              aria-label={t("appForm.redirectRemove", { number: place + 1 })}
              onClick={() => onChange(uris.filter((_, other) => other !== place))}
            >
              <BinIcon />
            </ActionIcon>
          )}
        </div>
      ))}
      {uris.length < ADDRESSES_MAX && (
        <Button
          variant="subtle"
          size="compact-sm"
          className="start"
          justify="flex-start"
          leftSection={<PlusIcon size={15} />}
          onClick={() => onChange([...uris, "https://"])}
        >
          {t("appForm.redirectAdd")}
        </Button>
      )}
    </fieldset>
  );
};
