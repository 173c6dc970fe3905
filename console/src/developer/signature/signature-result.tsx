import { Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatDuration } from "#kit/number-format.ts";
import { StateMark, type StateMarkKind } from "../state-mark.tsx";
import { isGenuine, type SignatureResult, TOLERANCE_SECONDS } from "./verify-signature.ts";

type SignatureResultPart = { name: "header" | "signature" | "time"; mark: StateMarkKind; sentences: string[] };

const signaturePart = (result: Exclude<SignatureResult, { kind: "header" }>, t: TFunction): SignatureResultPart => {
  if (result.kind === "no_match") return { name: "signature", mark: "bad", sentences: [t(`signature.likelyCauses.${result.likelyCause}`)] };
  const { position, signatures, body, secret } = result;
  const which = { position: position + 1, number: signatures };
  const fitted =
    signatures === 1 ? t("signature.goodOne") : position === 0 ? t("signature.goodFirst", which) : t("signature.goodOlder", which);
  const causes = [
    ...(body === "kept" ? [] : [t(`signature.bodyCauses.${body}`)]),
    ...(secret === "kept" ? [] : [t(`signature.secretCauses.${secret}`)]),
  ];
  return { name: "signature", mark: causes.length === 0 ? "good" : "bad", sentences: causes.length === 0 ? [fitted] : causes };
};

const timePart = ({ ageSeconds }: { ageSeconds: number }, t: TFunction): SignatureResultPart => {
  const age = formatDuration(Math.abs(ageSeconds));
  if (Math.abs(ageSeconds) <= TOLERANCE_SECONDS) return { name: "time", mark: "good", sentences: [t("signature.times.good", { age })] };
  if (ageSeconds < 0) return { name: "time", mark: "bad", sentences: [t("signature.times.future", { age })] };
  return { name: "time", mark: "bad", sentences: [t("signature.times.old", { age }), t("signature.times.oldNote")] };
};

const partsOf = (result: SignatureResult, t: TFunction): SignatureResultPart[] => {
  if (result.kind === "header")
    return [
      { name: "header", mark: "bad", sentences: [t(`signature.headerFaults.${result.fault}`)] },
      { name: "signature", mark: "wait", sentences: [t("signature.unknown")] },
      { name: "time", mark: "wait", sentences: [t("signature.unknown")] },
    ];
  return [
    { name: "header", mark: "good", sentences: [t("signature.headerGood", { number: result.signatures })] },
    signaturePart(result, t),
    timePart(result, t),
  ];
};

export const SignatureResultCard = ({ result }: { result: SignatureResult | null }) => {
  const { t } = useTranslation();
  const isGood = result !== null && isGenuine(result);
  const tone = result === null ? "" : isGood ? " signature-result-good" : " signature-result-bad";
  return (
    <section className={`sheet card signature-result${tone}`} aria-label={t("signature.result")} aria-live="polite">
      {result === null ? (
        <Text c="dimmed">{t("signature.waiting")}</Text>
      ) : (
        <>
          <h2 className="item-title signature-result-title">
            <StateMark mark={isGood ? "good" : "bad"}>{t(isGood ? "signature.good" : "signature.bad")}</StateMark>
          </h2>
          <ol className="signature-result-parts">
            {partsOf(result, t).map(({ name, mark, sentences }) => (
              <li key={name}>
                <StateMark mark={mark}>
                  <b>{t(`signature.parts.${name}`)}</b>
                </StateMark>
                {sentences.map((sentence) => (
                  <p key={sentence}>{sentence}</p>
                ))}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
};
