import { isIbanSum } from './check-digits.ts';
import { type Found, matchesOf } from './found.ts';

const plain = (text: string): string => text.replace(/[\s()-]/gu, '').toUpperCase();

const IBAN = /(?<![a-z0-9])[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){2,7}(?: ?[a-z0-9]{1,3})?(?![a-z0-9])/giu;
const HONG_KONG = /(?<![a-z0-9])[a-z]{1,2}\d{6}\([0-9a]\)/giu;
const TOLD_ID =
  /(?<keep>(?:\b(?:passport|id card|identity card|identity number|national id|personal id|national insurance|nino|driving licence|driver'?s licen[cs]e)|护照|身份证|证件|社保|驾驶证|驾照|居住证|通行证)(?: ?(?:number|no\.?|num|号码?))?\s*(?:is|was|是|为)?\s*[:=]?\s*)(?=[a-z0-9 -]*\d)[a-z]{1,3}(?: ?\d){5,12}(?: ?[a-z])?(?![a-z0-9])/giu;

/** Identity numbers and accounts that have letters in them. */
export function findCodesOfPeople(form: string): readonly Found[] {
  return [
    ...matchesOf(form, IBAN, 'card', plain).filter(({ normalised }) => isIbanSum(normalised)),
    ...matchesOf(form, HONG_KONG, 'id', plain),
    ...matchesOf(form, TOLD_ID, 'id', plain),
  ];
}
