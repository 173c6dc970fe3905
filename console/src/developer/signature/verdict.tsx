import { Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { writeSpan } from "../../ui/figures.ts";
import { type Mark, StateMark } from "../state-mark.tsx";
import { isGenuine, TOLERANCE_SECONDS, type Verdict } from "./verify.ts";

type Part = { name: "header" | "signature" | "time"; mark: Mark; sentences: string[] };

const signaturePart = (verdict: Exclude<Verdict, { kind: "header" }>, t: TFunction): Part => {
  if (verdict.kind === "no_fit") return { name: "signature", mark: "bad", sentences: [t(`signature.suspects.${verdict.suspect}`)] };
  const { position, signatures, body, secret } = verdict;
  const which = { position: position + 1, number: signatures };
  const fitted =
    signatures === 1 ? t("signature.goodOne") : position === 0 ? t("signature.goodFirst", which) : t("signature.goodOlder", which);
  const causes = [
    ...(body === "kept" ? [] : [t(`signature.bodyCauses.${body}`)]),
    ...(secret === "kept" ? [] : [t(`signature.secretCauses.${secret}`)]),
  ];
  return { name: "signature", mark: causes.length === 0 ? "good" : "bad", sentences: causes.length === 0 ? [fitted] : causes };
};

const timePart = ({ ageSeconds }: { ageSeconds: number }, t: TFunction): Part => {
  const age = writeSpan(Math.abs(ageSeconds));
  if (Math.abs(ageSeconds) <= TOLERANCE_SECONDS) return { name: "time", mark: "good", sentences: [t("signature.times.good", { age })] };
  if (ageSeconds < 0) return { name: "time", mark: "bad", sentences: [t("signature.times.future", { age })] };
  return { name: "time", mark: "bad", sentences: [t("signature.times.old", { age }), t("signature.times.oldNote")] };
};

const partsOf = (verdict: Verdict, t: TFunction): Part[] => {
  if (verdict.kind === "header")
    return [
      { name: "header", mark: "bad", sentences: [t(`signature.headerFaults.${verdict.fault}`)] },
      { name: "signature", mark: "wait", sentences: [t("signature.unknown")] },
      { name: "time", mark: "wait", sentences: [t("signature.unknown")] },
    ];
  return [
    { name: "header", mark: "good", sentences: [t("signature.headerGood", { number: verdict.signatures })] },
    signaturePart(verdict, t),
    timePart(verdict, t),
  ];
};

export const VerdictCard = ({ verdict }: { verdict: Verdict | null }) => {
  const { t } = useTranslation();
  const isGood = verdict !== null && isGenuine(verdict);
  const tone = verdict === null ? "" : isGood ? " verdict-good" : " verdict-bad";
  return (
    <section className={`sheet card verdict${tone}`} aria-label={t("signature.verdict")} aria-live="polite">
      {verdict === null ? (
        <Text c="dimmed">{t("signature.waiting")}</Text>
      ) : (
        <>
          <h2 className="item-title verdict-title">
            <StateMark mark={isGood ? "good" : "bad"}>{t(isGood ? "signature.good" : "signature.bad")}</StateMark>
          </h2>
          <ol className="verdict-parts">
            {partsOf(verdict, t).map(({ name, mark, sentences }) => (
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
