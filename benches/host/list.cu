// A linked list of allocated nodes: built, summed, reversed, sorted by merging, freed.
#include "host.h"

#define N 100000

struct Item {
    int value;
    Item *next;
};

static Item *merge(Item *a, Item *b)
{
    Item head;
    Item *tail = &head;
    while (a && b) {
        if (a->value <= b->value) {
            tail->next = a;
            a = a->next;
        } else {
            tail->next = b;
            b = b->next;
        }
        tail = tail->next;
    }
    tail->next = a ? a : b;
    return head.next;
}

static Item *sort(Item *list)
{
    if (!list || !list->next)
        return list;
    Item *slow = list;
    Item *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    Item *half = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(half));
}

int main(void)
{
    Item *list = NULL;
    host_begin();
    for (int i = 0; i < N; i++) {
        Item *item = (Item *)malloc(sizeof(Item));
        item->value = (int)host_random();
        item->next = list;
        list = item;
    }
    long long sum = 0;
    for (int round = 0; round < 10; round++)
        for (Item *p = list; p; p = p->next)
            sum += p->value;
    Item *back = NULL;
    while (list) {
        Item *next = list->next;
        list->next = back;
        back = list;
        list = next;
    }
    list = sort(back);
    host_end();
    unsigned h = 0;
    while (list) {
        Item *next = list->next;
        h = h * 31u + (unsigned)list->value;
        free(list);
        list = next;
    }
    printf("%lld %u\n", sum, h);
    return 0;
}
