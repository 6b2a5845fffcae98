// Conversions between encodings.
#include <codecvt>
#include <cstdio>
#include <cuchar>
#include <cwchar>
#include <iostream>
#include <locale>
#include <string>

int main()
{
    std::wstring_convert<std::codecvt_utf8<wchar_t>> wide;
    std::wstring w = wide.from_bytes("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
    std::printf("%zu", w.size());
    for (wchar_t c : w) std::printf(" %x", unsigned(c));
    std::printf("\n%s\n", wide.to_bytes(w).c_str());
    std::wstring_convert<std::codecvt_utf8_utf16<char16_t>, char16_t> utf16;
    std::u16string u = utf16.from_bytes("a\xf0\x9f\x98\x80z");
    std::printf("%zu %x %x %s\n", u.size(), u[1], u[2], utf16.to_bytes(u).c_str());
    std::wstring_convert<std::codecvt_utf8<char32_t>, char32_t> utf32;
    std::u32string v = utf32.from_bytes("\xe2\x82\xac");
    std::printf("%zu %x %s\n", v.size(), unsigned(v[0]), utf32.to_bytes(v).c_str());
    try {
        wide.from_bytes("\xff\xfe");
    } catch (const std::range_error &e) {
        std::printf("range_error\n");
    }
    std::wstring_convert<std::codecvt_utf8<wchar_t>> lenient("?", L"!");
    std::printf("%zu %s\n", lenient.from_bytes("\xff").size(), lenient.to_bytes(std::wstring(1, wchar_t(0x110000))).c_str());
    std::wstring_convert<std::codecvt_utf16<char32_t, 0x10ffff, std::little_endian>, char32_t> little;
    std::string bytes = little.to_bytes(U"\u20ac\U0001f600");
    for (unsigned char c : bytes) std::printf("%02x ", c);
    std::printf("%zu\n", little.from_bytes(bytes).size());
    std::wstring_convert<std::codecvt_utf8<char32_t, 0x10ffff, std::codecvt_mode(std::consume_header | std::generate_header)>, char32_t> marked;
    std::printf("%zu %zu\n", marked.to_bytes(U"a").size(), marked.from_bytes("\xef\xbb\xbfxyz").size());
    std::printf("%zu\n", wide.converted());
    std::codecvt_utf8<wchar_t> cvt;
    std::mbstate_t state{};
    const char *text = "\xc3\xa9tude", *next;
    wchar_t out[3], *end;
    int how = cvt.in(state, text, text + 7, next, out, out + 3, end);
    std::printf("%d %td %td %d %d %d\n", how, next - text, end - out, cvt.length(state, text, text + 7, 2), cvt.max_length(), cvt.always_noconv());
}
