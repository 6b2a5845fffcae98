// std::filesystem: paths, their parts and relations; files, directories, iterators, errors.
#include <filesystem>
#include <iostream>
#include <fstream>
#include <algorithm>
#include <vector>
namespace fs = std::filesystem;
int main() {
    for (const char* s : {"", "/", "a", "/a", "a/", "/a/b/", "a/b.c", ".hidden", "a/..", "..", "x.tar.gz", "a//b", "/a//b///c", ".", "dir/.", "a.", "..b"}) {
        fs::path p = s;
        std::cout << p << ' ' << p.filename() << p.stem() << p.extension() << p.parent_path() << p.root_path() << p.relative_path() << p.has_filename() << p.is_absolute() << p.lexically_normal() << ' ';
        for (auto& e : p) std::cout << e << ',';
        std::cout << '\n';
    }
    for (const char* s : {"a/./b/..", "a/b/../c/../d", "../a/..", "/../a", "./", "a/b/../..", "/a/../../b", "foo/./bar/..", "a/../..", "././a"}) std::cout << fs::path(s).lexically_normal() << ' ';
    std::cout << '\n';
    std::cout << fs::path("/a/d").lexically_relative("/a/b/c") << fs::path("/a/b/c").lexically_relative("/a/d") << fs::path("a/b/c").lexically_relative("a") << fs::path("a/b").lexically_relative("a/b") << fs::path("a").lexically_relative("/a") << fs::path("a/b").lexically_relative("c/d") << '\n';
    std::cout << (fs::path("a") / "/b") << (fs::path("a/") / "b") << (fs::path("") / "b") << fs::path("a/b.c").replace_extension("d") << fs::path("a/b.c").replace_extension() << fs::path("a/b").replace_filename("z") << fs::path("a/b").remove_filename() << (fs::path("a") += "b") << '\n';
    std::cout << (fs::path("a/b") == fs::path("a//b")) << (fs::path("a") < fs::path("b")) << fs::path("/a").compare("a") << '\n';
    fs::path dir = "cudair_native_fs";
    fs::remove_all(dir);
    std::cout << fs::create_directories(dir / "s" / "t") << fs::create_directory(dir) << fs::exists(dir) << fs::is_directory(dir / "s") << fs::is_empty(dir / "s" / "t") << '\n';
    std::ofstream(dir / "f.txt") << "hello";
    {
        std::ofstream o{dir / "s" / "g.txt"};
        o << "abc";
    }
    fs::copy_file(dir / "f.txt", dir / "s" / "h.txt");
    try {
        fs::copy_file(dir / "f.txt", dir / "s" / "h.txt");
    } catch (const fs::filesystem_error& e) {
        std::cout << e.what() << '\n' << e.path1() << e.code().value() << '\n';
    }
    std::cout << fs::copy_file(dir / "f.txt", dir / "s" / "h.txt", fs::copy_options::overwrite_existing) << fs::file_size(dir / "s" / "h.txt") << '\n';
    std::vector<std::string> n;
    for (auto& e : fs::recursive_directory_iterator(dir)) n.push_back(e.path().string() + (e.is_directory() ? "/" : "") + (e.is_regular_file() ? std::to_string(e.file_size()) : ""));
    std::sort(n.begin(), n.end());
    for (auto& s : n) std::cout << s << ' ';
    std::cout << '\n';
    int c = 0;
    for (const auto& e : fs::directory_iterator(dir)) c += e.is_regular_file();
    std::cout << c << std::distance(fs::directory_iterator(dir), fs::directory_iterator()) << '\n';
    fs::rename(dir / "f.txt", dir / "r.txt");
    fs::resize_file(dir / "r.txt", 2);
    std::cout << fs::file_size(dir / "r.txt") << fs::exists(dir / "f.txt") << fs::equivalent(dir / "r.txt", dir / "." / "r.txt") << '\n';
    fs::copy(dir / "s", dir / "copy", fs::copy_options::recursive);
    std::cout << fs::exists(dir / "copy" / "t") << fs::exists(dir / "copy" / "g.txt") << '\n';
    for (auto f : {+[](fs::path p) { fs::file_size(p); }, +[](fs::path p) { fs::directory_iterator i(p); }, +[](fs::path p) { fs::rename(p, "y"); }, +[](fs::path p) { fs::create_directory(p / "x"); }, +[](fs::path p) { fs::canonical(p); }, +[](fs::path p) { fs::copy(p, "q"); }, +[](fs::path p) { fs::recursive_directory_iterator i(p); }}) try {
        f("nonexistent");
    } catch (const fs::filesystem_error& e) {
        std::cout << e.what() << '\n';
    }
    try {
        fs::remove(dir);
    } catch (const fs::filesystem_error& e) {
        std::cout << e.what() << '\n';
    }
    try {
        fs::file_size(dir);
    } catch (const fs::filesystem_error& e) {
        std::cout << e.what() << '\n';
    }
    std::error_code ec;
    std::cout << fs::file_size("none", ec) << ec.message() << fs::remove("none", ec) << ec.value() << fs::exists("none", ec) << '\n';
    fs::permissions(dir / "r.txt", fs::perms::owner_read, fs::perm_options::replace);
    std::cout << ((fs::status(dir / "r.txt").permissions() & fs::perms::owner_write) == fs::perms::none) << fs::hard_link_count(dir / "r.txt") << '\n';
    std::cout << fs::relative(dir / "s" / "t", dir) << fs::absolute(dir).is_absolute() << (fs::canonical(dir / "s" / ".." / "s") == fs::current_path() / dir / "s") << fs::weakly_canonical(dir / "no" / ".." / "q").filename() << '\n';
    std::cout << fs::remove_all(dir) << fs::exists(dir) << fs::remove_all(dir) << '\n';
}
