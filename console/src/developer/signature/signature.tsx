import "../styles.ts";
import { Alert, Button, Group, PasswordInput, Stack, Textarea, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { ShieldIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { useNow } from "#kit/relative-time.tsx";
import { Page } from "#shell/page.tsx";
import { SignatureResultCard } from "./signature-result.tsx";
import { enSignature } from "./texts.en.ts";
import { checkSignature, type PastedRequest, type SignatureResult } from "./verify-signature.ts";

const NOTHING: PastedRequest = { body: "", header: "", secret: "" };

/** Checks again on every change and every few seconds, because the signature's age counts. */
const useSignatureResult = (pasted: PastedRequest): SignatureResult | null => {
  const now = useNow(5000);
  const [result, setResult] = useState<SignatureResult | null>(null);
  const isComplete = pasted.body !== "" && pasted.header.trim() !== "" && pasted.secret !== "";
  useEffect(() => {
    if (!isComplete) {
      setResult(null);
      return;
    }
    let isWanted = true;
    void checkSignature(pasted, Math.floor(now / 1000)).then((found) => isWanted && setResult(found));
    return () => {
      isWanted = false;
    };
  }, [pasted, isComplete, now]);
  return result;
};

addEnglishTexts(enSignature);

export const SignatureChecker = () => {
  const { t } = useTranslation();
  const [pasted, setPasted] = useState(NOTHING);
  const result = useSignatureResult(pasted);
  const set = (name: keyof PastedRequest) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setPasted((before) => ({ ...before, [name]: value }));
  };
  const plain = { dir: "ltr", spellCheck: false, autoComplete: "off" } as const;
  return (
    <Page title={t("signature.title")} name={t("signature.title")} lead={t("signature.lead")}>
      <div className="checker">
        <Stack gap="md">
          <Alert color="green" icon={<ShieldIcon />}>
            {t("signature.private")}
          </Alert>
          <Textarea
            label={t("signature.body")}
            description={t("signature.bodyHint")}
            classNames={{ input: "code" }}
            minRows={8}
            rows={10}
            {...plain}
            value={pasted.body}
            onChange={set("body")}
          />
          <TextInput
            label={t("signature.header")}
            placeholder="t=1763146931,v1=5f2a…"
            classNames={{ input: "code" }}
            {...plain}
            value={pasted.header}
            onChange={set("header")}
          />
          <PasswordInput
            label={t("signature.secret")}
            description={t("signature.secretHint")}
            classNames={{ innerInput: "code" }}
            visibilityToggleButtonProps={{ "aria-label": t("signature.show"), tabIndex: 0 }}
            {...plain}
            autoComplete="new-password"
            value={pasted.secret}
            onChange={set("secret")}
          />
          <Group>
            <Button variant="default" onClick={() => setPasted(NOTHING)}>
              {t("signature.clear")}
            </Button>
          </Group>
        </Stack>
        <SignatureResultCard result={result} />
      </div>
    </Page>
  );
};
