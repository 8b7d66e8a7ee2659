//! What an order costs, and what a coupon takes off.

use crate::scenario::model::{CartLine, Coupon, Price, Shipping, Shop};

/// The shop's own coupon: code and percent.
pub(crate) const OWN_COUPON: (&str, u8) = ("WELCOME10", 10);

/// The coupon that a typed code means: one of the scenario's, else the shop's own.
pub(in crate::workspace) fn coupon(shop: &Shop, typed: &str) -> Option<Coupon> {
    let typed = typed.trim();
    let own = || Coupon { code: OWN_COUPON.0.to_owned(), percent: OWN_COUPON.1, text: String::new() };
    let is_meant = |coupon: &Coupon| coupon.code.to_lowercase() == typed.to_lowercase();
    shop.coupons.iter().find(|coupon| is_meant(coupon)).cloned().or_else(|| Some(own()).filter(is_meant))
}

/// What an order costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::workspace) struct Bill {
    /// What the coupon takes off, if one is used.
    pub(in crate::workspace) discount: Option<Price>,
    /// All of it, with the shipping.
    pub(in crate::workspace) total: Price,
}

/// The bill of some lines, where every one has a price in the same currency; amounts are written as the
/// first price is. A coupon takes its percent off the goods, not off the shipping.
pub(in crate::workspace) fn bill(lines: &[CartLine], shipping: Shipping, percent: u8) -> Option<Bill> {
    let mut goods: i64 = 0;
    let mut around: Option<(&str, &str)> = None;
    let mut mark = '.';
    for line in lines {
        let price = line.price.as_ref()?;
        goods = goods.checked_add(price.cents?.checked_mul(i64::from(line.quantity))?)?;
        let here = currency(&price.text)?;
        if around.is_some_and(|before| before != here) {
            return None;
        }
        if around.is_none() {
            mark = decimal_mark(&price.text);
        }
        around = Some(here);
    }
    let (before, after) = around?;
    let price = |cents: i64| {
        let sign = if cents < 0 { "-" } else { "" };
        let text = format!("{before}{sign}{}{mark}{:02}{after}", cents.abs() / 100, cents.abs() % 100);
        Price { cents: Some(cents), text }
    };
    // Half a cent is the customer's.
    let off = goods.checked_mul(i64::from(percent))?.checked_add(50)? / 100;
    let total = goods.checked_sub(off)?.checked_add(shipping.cents())?;
    Some(Bill { discount: (percent > 0).then(|| price(off)), total: price(total) })
}

/// The comma, where the amount has one before its last two digits; else the point.
fn decimal_mark(text: &str) -> char {
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let cents = digits.rsplit(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
    let is_comma = cents.len() == 2 && digits[..digits.len() - cents.len()].ends_with(',');
    if is_comma { ',' } else { '.' }
}

/// What stands around the amount: `("$", "")` of `$48.00`.
fn currency(text: &str) -> Option<(&str, &str)> {
    let first = text.find(|letter: char| letter.is_ascii_digit())?;
    let last = text.rfind(|letter: char| letter.is_ascii_digit())?;
    Some((&text[..first], &text[last + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(price: Option<(&str, i64)>, quantity: u32) -> CartLine {
        CartLine {
            id: "line-1".to_owned(),
            title: "Lamp".to_owned(),
            price: price.map(|(text, cents)| Price { cents: Some(cents), text: text.to_owned() }),
            quantity,
            ..CartLine::default()
        }
    }

    fn total(lines: &[CartLine], shipping: Shipping) -> Option<String> {
        bill(lines, shipping, 0).map(|bill| bill.total.text)
    }

    #[test]
    fn a_total_needs_every_price_in_one_currency() {
        let two = [line(Some(("$48.00", 4800)), 2), line(Some(("$0.05", 5)), 1)];
        let whole = bill(&two, Shipping::Standard, 0).unwrap();
        assert_eq!(whole.total, Price { cents: Some(9605), text: "$96.05".to_owned() });
        assert_eq!(whole.discount, None);
        let euro = [line(Some(("4,50 €", 450)), 1)];
        assert_eq!(total(&euro, Shipping::PickUp).as_deref(), Some("4,50 €"));
        let mixed = [line(Some(("$1.00", 100)), 1), line(Some(("1.00 €", 100)), 1)];
        let unreadable = [line(None, 1)];
        let huge = [line(Some(("$1.00", i64::MAX)), 2)];
        let nearly_huge = [line(Some(("$1.00", i64::MAX)), 1)];
        for lines in [&mixed[..], &unreadable, &huge, &[]] {
            assert_eq!(total(lines, Shipping::Standard), None);
        }
        assert_eq!(bill(&nearly_huge, Shipping::Express, 90), None);
        assert_eq!(total(&two[1..], Shipping::Express).as_deref(), Some("$9.95"));
    }

    #[test]
    fn a_coupon_takes_its_percent_off_the_goods_and_not_off_the_shipping() {
        let goods = [line(Some(("$12.25", 1225)), 2)];
        let less = bill(&goods, Shipping::Express, 10).unwrap();
        assert_eq!(less.discount.map(|price| price.text).as_deref(), Some("$2.45"));
        assert_eq!(less.total.text, "$31.95");
        let free = bill(&goods, Shipping::Standard, 100).unwrap();
        assert_eq!(free.total.text, "$0.00");
        let odd = [line(Some(("0,05 €", 5)), 1)];
        assert_eq!(bill(&odd, Shipping::Standard, 10).unwrap().total.text, "0,04 €");
    }

    #[test]
    fn a_scenario_may_have_coupons_beside_the_shops_own() {
        let mut shop = Shop::default();
        assert_eq!(coupon(&shop, " welcome10 ").map(|coupon| coupon.percent), Some(10));
        assert_eq!(coupon(&shop, "SPRING"), None);
        let held = |code: &str, percent| Coupon { code: code.to_owned(), percent, text: String::new() };
        shop.coupons = vec![held("Spring", 15), held("WELCOME10", 25)];
        assert_eq!(coupon(&shop, "SPRING").map(|coupon| coupon.percent), Some(15));
        assert_eq!(coupon(&shop, "welcome10").map(|coupon| coupon.percent), Some(25), "the scenario's");
    }
}
