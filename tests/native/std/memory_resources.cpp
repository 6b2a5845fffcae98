// Memory resources: what allocators of containers get their memory from.
#include <array>
#include <cstdio>
#include <iostream>
#include <list>
#include <map>
#include <memory_resource>
#include <string>
#include <unordered_map>
#include <vector>

struct Counting : std::pmr::memory_resource {
    std::size_t allocated = 0, freed = 0;
    int calls = 0;
    std::pmr::memory_resource *above;
    explicit Counting(std::pmr::memory_resource *r = std::pmr::get_default_resource()) : above(r) {}

private:
    void *do_allocate(std::size_t bytes, std::size_t align) override
    {
        calls++;
        allocated += bytes;
        return above->allocate(bytes, align);
    }
    void do_deallocate(void *p, std::size_t bytes, std::size_t align) override
    {
        freed += bytes;
        above->deallocate(p, bytes, align);
    }
    bool do_is_equal(const memory_resource &o) const noexcept override { return this == &o; }
};

int main()
{
    Counting counting;
    {
        std::pmr::vector<int> v(&counting);
        for (int i = 0; i < 100; i++) v.push_back(i);
        std::pmr::vector<int> copy(v);
        std::pmr::vector<int> same(v, &counting);
        std::cout << v.size() << ' ' << (copy.get_allocator() == v.get_allocator()) << (same.get_allocator() == v.get_allocator()) << '\n';
    }
    std::cout << counting.allocated << ' ' << counting.freed << ' ' << counting.calls << '\n';

    std::array<char, 4096> buffer;
    {
        std::pmr::monotonic_buffer_resource pool(buffer.data(), buffer.size(), &counting);
        std::pmr::list<std::pmr::string> names(&pool);
        for (int i = 0; i < 20; i++) names.emplace_back("a name that is too long to be kept inside " + std::to_string(i));
        std::cout << names.back() << ' ' << names.back().get_allocator().resource()->is_equal(pool) << '\n';
        std::pmr::map<int, std::pmr::vector<int>> tree(&pool);
        for (int i = 0; i < 30; i++) tree[i % 7].push_back(i);
        std::cout << tree[3].size() << ' ' << (tree[3].get_allocator().resource() == &pool) << '\n';
        pool.release();
    }
    std::cout << (counting.allocated == counting.freed) << '\n';
    {
        std::pmr::unsynchronized_pool_resource pool(std::pmr::pool_options{16, 256}, &counting);
        std::pmr::unordered_map<int, std::pmr::string> table(&pool);
        for (int i = 0; i < 200; i++) table.emplace(i, std::to_string(i * i));
        for (int i = 0; i < 200; i += 3) table.erase(i);
        for (int i = 0; i < 50; i++) table.emplace(1000 + i, "x");
        std::cout << table.size() << ' ' << table.at(199) << '\n';
        void *big = pool.allocate(100000, 64);
        std::cout << (reinterpret_cast<std::size_t>(big) % 64) << '\n';
        pool.deallocate(big, 100000, 64);
        std::cout << pool.options().largest_required_pool_block << '\n';
    }
    std::cout << (counting.allocated == counting.freed) << '\n';
    {
        std::pmr::synchronized_pool_resource pool(&counting);
        std::pmr::vector<double> v(1000, 1.5, &pool);
        std::cout << v[999] << '\n';
    }
    std::pmr::memory_resource *before = std::pmr::set_default_resource(&counting);
    std::cout << (before == std::pmr::new_delete_resource()) << (std::pmr::get_default_resource() == &counting) << '\n';
    std::pmr::set_default_resource(nullptr);
    try {
        std::pmr::vector<int> none(std::pmr::null_memory_resource());
        none.push_back(1);
    } catch (const std::bad_alloc &) {
        std::cout << "nothing to be had\n";
    }
    std::pmr::polymorphic_allocator<int> alloc(&counting);
    int *p = alloc.allocate(3);
    alloc.construct(p, 7);
    std::cout << *p << '\n';
    alloc.deallocate(p, 3);
}
